import Observation
import QueryLanguage
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import NoteArchive

@Suite(.timeLimit(.minutes(1))) struct FetchedResultsTests {
  @Test func `a snapshot is there at once`() throws {
    let home = try TestArchive()
    try home.add("one", day: 1)
    try home.add("two", day: 2)
    let results = FetchedResults(FetchRequest(), in: home.archive)
    #expect(results.elements.map(\.text) == ["two", "one"])
    #expect(results.snapshot.difference.changes.count == 2)
  }

  @Test func `each kind of change tells of itself`() async throws {
    let home = try TestArchive()
    let first = try home.add("first", day: 1)
    try home.add("second", day: 2)
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var screen = Follower(results)
    _ = await screen.next()

    let third = try home.add("third", day: 3)
    #expect(await screen.next()?.difference.changes == [.insert(screen.elements[0], at: 0)])
    _ = try home.archive.edit([first.id]) { $0.favorite = true }
    #expect(await screen.next()?.difference.changes == [.update(screen.elements[2], at: 2)])
    _ = try home.archive.edit([first.id]) { $0.moment.milliseconds += 7 * 86_400_000 }
    #expect(await screen.next()?.difference.changes == [.move(screen.elements[0], from: 2, to: 0)])
    let gone = screen.elements[1]
    _ = try home.archive.delete([third.id])
    #expect(await screen.next()?.difference.changes == [.remove(gone, at: 1)])
    #expect(screen.elements.map(\.text) == ["first", "second"])
  }

  @Test func `tags and photos are part of a note`() async throws {
    let home = try TestArchive()
    let note = try home.add("note")
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var screen = Follower(results)
    _ = await screen.next()
    // As another program might, without a word in the note's own row.
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run("INSERT INTO tag(name) VALUES ('rain')")
      try connection.run("INSERT INTO note_tag SELECT note.id, 0, tag.id FROM note, tag")
    }
    await screen.wait { $0.first?.tags == ["rain"] }
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO original(digest, byte_size, format, width, height, damaged)
        VALUES (zeroblob(32), 1, 'png', 2, 3, 0)
        """)
      try connection.run("INSERT INTO photo SELECT 1, note.id, 1, 1, 'a.png' FROM note")
    }
    await screen.wait { $0.first?.photos.map(\.filename) == ["a.png"] }
    let photos = FetchedResults(
      FetchRequest(.photos, where: try Query.Predicate("width == 2", on: Catalog.photo)),
      in: home.archive)
    var photoScreen = Follower(photos)
    await photoScreen.wait { $0.map(\.filename) == ["a.png"] }
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run("UPDATE photo SET filename='b.png'")
    }
    await screen.wait { $0.first?.photos.map(\.filename) == ["b.png"] }
    #expect(screen.elements.map(\.id) == [note.id])
    await photoScreen.wait { $0.map(\.filename) == ["b.png"] }
    _ = try home.archive.delete([note.id])
    await photoScreen.wait { $0.isEmpty }
  }

  @Test func `a commit that does not change the answer gives no snapshot`() async throws {
    let home = try TestArchive()
    let plain = try home.add("plain")
    try home.add("star", favorite: true)
    let results = FetchedResults(
      FetchRequest(where: try notes(where: "favorite == YES"), limit: 1), in: home.archive)
    try await settle()
    let number = results.snapshot.number

    _ = try home.archive.edit([plain.id]) { $0.text = "still plain" }
    try home.add("another")
    try home.add("an older star", favorite: true, day: 0)  // Beyond the limit.
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run("UPDATE note SET text=text")
      try connection.run("INSERT INTO tag(name) VALUES ('of no note')")
    }
    results.predicate = results.predicate
    try await settle()
    #expect(results.snapshot.number == number)

    try home.add("newest star", favorite: true, day: 9)
    var screen = Follower(results)
    await screen.wait { $0.map(\.text) == ["newest star"] }
    #expect(results.snapshot.number == number + 1)
  }

  @Test func `a note that goes to the trash and comes back between two looks was never away`()
    throws
  {
    let home = try TestArchive()
    let note = try home.add("note")
    let request = FetchRequest<Note>()
    let answer = try FetchedAnswer(to: request).next(to: request, in: home.archive)
    _ = try home.archive.delete([note.id])
    _ = try home.archive.restore([note.id])
    let next = try answer.next(to: request, in: home.archive)
    #expect(next.position != answer.position)
    #expect(next.hasSameList(as: answer))
  }

  @Test func `a commit of another program is seen`() async throws {
    let home = try TestArchive()
    let other = try home.opened()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var screen = Follower(results)
    for count in 1...20 {
      try other.save(Note(text: "\(count)", moment: Moment(milliseconds: count)))
      await screen.wait { $0.count == count }
    }
    #expect(results.elements.count == 20)
  }

  @Test func `settings and commits work together in any interleaving`() async throws {
    let home = try TestArchive()
    let other = try home.opened()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    let requests: [FetchRequest<Note>] = [
      FetchRequest(),
      FetchRequest(where: try notes(where: "favorite == YES"), sortedBy: [.init("text")]),
      FetchRequest(where: try notes(where: "label == 'a' OR label == nil"), groupedBy: .label),
      FetchRequest(sortedBy: [.init("date"), .init("text", ascending: false)], limit: 7),
      FetchRequest(.trash, sortedBy: [.init("text")]),
    ]
    let reader = Task { () -> [Note] in
      var screen = Follower(results)
      await screen.wait { $0.contains { $0.text == "end" } }
      return screen.elements
    }
    async let writing: Void = {
      var random = SplitMix(seed: 7)
      for count in 0..<150 {
        let archive = Bool.random(using: &random) ? home.archive : other
        let ids = try archive.ids(of: NoteQuery())
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !ids.isEmpty:
          let id = ids[Int.random(in: 0..<ids.count, using: &random)]
          _ = try archive.edit([id]) { $0.favorite.toggle() }
        case 1 where !ids.isEmpty:
          _ = try archive.delete([ids[Int.random(in: 0..<ids.count, using: &random)]])
        default:
          let label = ["a", "b", nil][Int.random(in: 0..<3, using: &random)]
          try archive.save(
            Note(text: "note \(count)", label: label, moment: Moment(milliseconds: count % 9)))
        }
      }
    }()
    var random = SplitMix(seed: 8)
    for _ in 0..<150 {
      results.request = requests[Int.random(in: 0..<requests.count, using: &random)]
      if Bool.random(using: &random) { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await writing
    for request in requests {
      results.request = request
      var screen = Follower(results)
      while let snapshot = await screen.next(), snapshot.request != request {}
      try await settle()
      let place: NoteQuery.Place = request.entity == .trash ? .trash : .archive
      let wanted = try home.archive.notes(
        NoteQuery(
          request.predicate, sortedBy: request.sortDescriptors, limit: request.limit, in: place))
      let elements = results.elements
      #expect(Set(elements) == Set(wanted))
      if request.sectionKey == nil { #expect(elements == wanted) }
    }
    results.request = FetchRequest()
    try other.save(Note(text: "end", moment: .now))
    #expect(await reader.value == (try home.archive.notes()))
  }

  @Test func `a wrong predicate is an error, and setting it right mends it`() async throws {
    let home = try TestArchive()
    try home.add("note")
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var screen = Follower(results)
    _ = await screen.next()
    results.predicate = .equal("colour", "red")
    let wrong = await screen.next()
    guard case .query? = wrong?.error else {
      Issue.record("no error: \(String(describing: wrong))")
      return
    }
    #expect(wrong?.elements.count == 1)
    try home.add("meanwhile", day: 2)
    results.sortDescriptors = [.init("text")]
    #expect(await screen.next()?.error != nil)
    results.predicate = .constant(true)
    let mended = await screen.next()
    #expect(mended?.error == nil)
    #expect(mended?.elements.map(\.text) == ["meanwhile", "note"])
  }

  @Test func `results that begin with an error recover too`() async throws {
    let home = try TestArchive()
    try home.add("note")
    let results = FetchedResults(FetchRequest(sortedBy: [.init("size")]), in: home.archive)
    #expect(results.error != nil && results.elements.isEmpty)
    results.sortDescriptors = []
    var screen = Follower(results)
    await screen.wait { $0.count == 1 }
    #expect(results.error == nil)
  }

  @Test func `a look that failed for a while is repeated without a commit`() async throws {
    let home = try TestArchive()
    let owner = Owner()
    let looks = Mutex(0)
    home.archive.changes.add(owner) {
      looks.withLock { count in
        count += 1
        return count < 4  // As where the database is locked.
      }
    }
    defer { home.archive.changes.remove(owner) }
    for _ in 0..<200 where looks.withLock({ $0 }) < 4 {
      try await Task.sleep(for: .milliseconds(10))
    }
    try await settle()
    #expect(looks.withLock { $0 } == 4)
    #expect(ArchiveError.locked(path: "").mayPass && !ArchiveError.query(detail: "").mayPass)
  }

  private final class Owner {}

  @Test func `observation tells of snapshots and settings`() async throws {
    let home = try TestArchive()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    var signals = changes.makeAsyncIterator()
    func track() {
      withObservationTracking {
        _ = results.elements
      } onChange: {
        continuation.yield()
      }
    }
    track()
    try home.add("one")
    await signals.next()
    var screen = Follower(results)
    await screen.wait { $0.count == 1 }
    withObservationTracking {
      _ = results.limit
    } onChange: {
      continuation.yield()
    }
    results.limit = 5
    await signals.next()
  }

  @Test func `who is told may write`() async throws {
    let home = try TestArchive()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    withObservationTracking {
      _ = results.snapshot
    } onChange: {
      try? home.archive.save(Note(text: "answer", moment: .now))
    }
    try home.add("question")
    var screen = Follower(results)
    await screen.wait { Set($0.map(\.text)) == ["answer", "question"] }
    #expect(screen.elements.count == 2)
  }

  @Test func `nothing is told while the writer is held`() async throws {
    let home = try TestArchive()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO note(uuid, date, date_source, created_at, modified_at)
        VALUES (randomblob(16), 0, 'given', 0, 0)
        """)
      // A setting that is changed meanwhile is answered without the lock.
      results.limit = 3
    }
    var screen = Follower(results)
    await screen.wait { $0.count == 1 }
    #expect(results.limit == 3)
  }

  @Test func `who is slow gets the newest, with the difference from what it saw`() async throws {
    let home = try TestArchive()
    let results = FetchedResults(FetchRequest(), in: home.archive)
    var slow = Follower(results)
    _ = await slow.next()
    var quick = Follower(results)
    for count in 1...30 {
      try home.add("\(count)")
      await quick.wait { $0.count == count }
    }
    #expect(await slow.next()?.difference.changes.count == 30)
  }

  @Test func `cancelling ends an iteration, and the last reference the watching`() async throws {
    let home = try TestArchive()
    var results: FetchedResults<Note>? = FetchedResults(FetchRequest(), in: home.archive)
    let snapshots = try #require(results).snapshots
    let task = Task { for await _ in snapshots {} }
    try await settle()
    task.cancel()
    await task.value
    weak let left = results
    results = nil
    _ = consume snapshots
    for _ in 0..<100 where left != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(left == nil)
    #expect(!home.archive.changes.isWatching)
    // And another one starts it again.
    var screen = Follower(FetchedResults(FetchRequest(), in: home.archive))
    _ = await screen.next()
    try home.add("again")
    await screen.wait { $0.count == 1 }
    #expect(home.archive.changes.isWatching)
  }

  @Test func `a list of references tells which notes changed`() async throws {
    let home = try TestArchive()
    let note = try home.add("one", day: 1)
    try home.add("two", day: 2)
    let results = FetchedResults(
      FetchRequest(.noteReferences, sortedBy: [.init("date")]), in: home.archive)
    var screen = Follower(results)
    _ = await screen.next()
    _ = try home.archive.edit([note.id]) { $0.text = "one, edited" }
    #expect(await screen.next()?.difference.changes == [.update(screen.elements[0], at: 0)])
    #expect(try home.archive.notes(screen.elements).map(\.text) == ["one, edited", "two"])
  }

  @Test func `one who is far behind looks at everything`() throws {
    let home = try TestArchive()
    try home.add("old")
    let request = FetchRequest<Note>()
    let answer = try FetchedAnswer(to: request).next(to: request, in: home.archive)
    try home.archive.write { connection throws(DatabaseError) in
      try connection.run("UPDATE note SET text='new'")
      for _ in 0..<2 {
        try connection.run(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<8000)
          INSERT INTO note(uuid, date, date_source, created_at, modified_at)
          SELECT randomblob(16), 0, 'given', 0, 0 FROM n
          """)
      }
    }
    let next = try answer.next(to: request, in: home.archive)
    #expect(next.elements.count == 16_001)
    #expect(next.elements.contains { $0.text == "new" })
    let kept = try home.archive.read { connection throws(DatabaseError) in
      try connection.first("SELECT count(*) FROM change") { $0.int(0) }
    }
    #expect(try #require(kept) <= ChangeLog.length + 1000)
  }

  @Test func `a million photos on a note leave one entry`() throws {
    let home = try TestArchive()
    try home.add("note")
    let count = 20_000  // The rule is the same; a million takes long.
    let entries = try home.archive.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO original(digest, byte_size, format, width, height, damaged)
        VALUES (zeroblob(32), 1, 'png', 2, 3, 0)
        """)
      try connection.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<\(count))
        INSERT INTO photo(note, position, original, filename) SELECT 1, i, 1, 'a' FROM n
        """)
      return try connection.first("SELECT count(*) FROM change") { $0.int(0) }
    }
    #expect(entries == 1)
  }

  /// Time for a change to be noticed, were there one: several times the watch's longest pause.
  private func settle() async throws { try await Task.sleep(for: .milliseconds(400)) }
}

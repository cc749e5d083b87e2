import FoundationEssentials
import QueryLanguage
import SQLite
import TestSupport
import Testing

@testable import NoteArchive

@Suite struct SearchIndexTests {
  /// An archive with random notes, changed at random.
  private func archive(
    in folder: TemporaryFolder, seed: UInt64, notes count: Int, changes: Int
  ) throws -> Archive {
    let archive = try Archive.openOrCreate(at: folder.path + "/a")
    var maker = NoteMaker(random: SplitMix(seed: seed))
    let digests = try archive.addEmptyOriginals(3)
    var ids: [NoteID] = []
    for _ in 0..<count {
      let note = maker.note(photos: digests)
      try archive.save(note)
      ids.append(note.id)
    }
    for _ in 0..<changes {
      let id = maker.pick(ids)
      switch Int.random(in: 0..<8, using: &maker.random) {
      case 0: _ = try archive.delete([id])
      case 1: _ = try archive.restore([id])
      case 2:
        let row = try archive.read { connection throws(DatabaseError) in
          try NoteStore.row(of: id, &connection)
        }
        guard let row, Int.random(in: 0..<4, using: &maker.random) == 0 else { continue }
        try archive.write { connection throws(DatabaseError) in
          try connection.run("DELETE FROM note WHERE id=?", [.integer(row)])
        }
      default: _ = try archive.edit([id]) { maker.change(&$0, photos: digests) }
      }
    }
    return archive
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a search finds what a look at each note finds, in the same order`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: seed, notes: 150, changes: 150)
    #expect(try archive.isSearchIndexSound())
    var maker = NoteMaker(random: SplitMix(seed: seed + 100))
    var (indexed, found) = (0, 0)
    var sources: [NotePlan.Source: Int] = [:]
    for _ in 0..<300 {
      var predicate =
        Bool.random(using: &maker.random) ? Catalog.mentions(maker.needle()) : maker.predicate()
      switch Int.random(in: 0..<8, using: &maker.random) {
      case 0, 1: predicate = .and([predicate, .equal("favorite", true)])
      case 2: predicate = .or([predicate, .equal("favorite", true)])
      case 3: predicate = .or([.equal("label", "red"), predicate, .equal("favorite", true)])
      default: break
      }
      let query = NoteQuery(
        predicate, sortedBy: maker.sortDescriptors(),
        limit: maker.pick([nil, 1, 7]),
        in: Int.random(in: 0..<8, using: &maker.random) == 0 ? .trash : .archive)
      let expected = try archive.idsByScan(query)
      #expect(try archive.ids(of: query) == expected, "\(predicate)")
      if try archive.source(of: query) == .index { indexed += 1 }
      let rows = try archive.rows(of: query)
      let plan = try NotePlan(query)
      for source in plan.sources {
        let found = try archive.read { connection throws(DatabaseError) in
          try plan.rows(from: source, &connection)
        }
        #expect(found == rows, "\(source): \(predicate)")
        sources[source, default: 0] += 1
      }
      found += expected.count

      let all = try archive.count(in: query.place)
      let count = try archive.count(predicate, in: query.place)
      #expect(try archive.count(.not(predicate), in: query.place) == all - count)
      #expect(try archive.idsByScan(NoteQuery(predicate, in: query.place)).count == count)
    }
    #expect(indexed > 100 && found > 400)
    #expect(sources[.index, default: 0] > 100 && sources[.favorites, default: 0] > 15)
    #expect(sources[.either, default: 0] > 30)
    try archive.mergeSearchIndex()
    #expect(try archive.isSearchIndexSound())
  }

  @Test func `what another program writes is found, and indexed by the next write`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 9, notes: 20, changes: 0)
    try archive.save(Note(text: "old words", moment: Moment(milliseconds: 5)))
    let other = try Database(path: folder.path + "/a/archive.db", mode: .readWrite)
    try other.withConnection { connection throws(DatabaseError) in
      try connection.execute(
        "UPDATE note SET text='new 言葉', date=date+86400000 WHERE text='old words'")
    }
    let query = NoteQuery(.contains("text", "言"))
    #expect(try archive.source(of: query) == .notes)
    #expect(try archive.ids(of: query).count == 1)
    try archive.save(Note(text: "another", moment: Moment(milliseconds: 6)))
    #expect(try archive.source(of: query) == .index)
    #expect(try archive.ids(of: query).count == 1)
    #expect(try archive.count(.contains("text", "old words")) == 0)
    #expect(try archive.isSearchIndexSound())
  }

  @Test func `a note with too much text or too many photos is found all the same`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 3, notes: 5, changes: 0)
    let long = Note(
      text: String(repeating: "lorem ipsum ", count: 30_000) + "needle",
      moment: Moment(milliseconds: 1))
    var many = Note(text: "many", moment: Moment(milliseconds: 2))
    let photo = PhotoProperties(format: "jpeg", width: 1, height: 1, byteSize: 1)
    many.photos = (1...5000).map {
      Photo(
        position: $0, filename: "IMG_\($0).JPG", digest: SHA256.hash(data: [0]), properties: photo)
    }
    try archive.save(long)
    try archive.save(many)
    for (text, id) in [("needle", long.id), ("img_4999", many.id)] {
      let query = NoteQuery(Catalog.mentions(text))
      #expect(try archive.source(of: query) == .index)
      #expect(try archive.ids(of: query) == [id])
    }
    let count = try archive.read { connection throws(DatabaseError) in
      try connection.first("SELECT count(*) FROM search_document WHERE text IS NULL") { $0.int(0) }
    }
    #expect(count == 2)
    _ = try archive.edit([long.id]) { $0.text = "short" }
    #expect(try archive.ids(of: NoteQuery(.contains("text", "needle"))).isEmpty)
    #expect(try archive.isSearchIndexSound())
  }

  @Test func `a check notices a wrong document, a missing word and one too many`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 4, notes: 10, changes: 0)
    for damage in [
      "UPDATE search_document SET text='wrong' WHERE key=(SELECT min(key) FROM search_document)",
      "DELETE FROM search_document WHERE key=(SELECT min(key) FROM search_document)",
      "INSERT INTO search_index(rowid, words) VALUES (77, 'abc')",
      "INSERT INTO search_index(search_index) VALUES ('delete-all')",
      "INSERT INTO search_document VALUES (99, 'nobody')",
    ] {
      #expect(try archive.isSearchIndexSound())
      try archive.write { connection throws(DatabaseError) in try connection.execute(damage) }
      #expect(try !archive.isSearchIndexSound(), "\(damage)")
      try archive.rebuildSearchIndex()
    }
    #expect(try archive.isSearchIndexSound())
  }

  @Test func `a rebuilding that was cut off goes on when the archive is opened`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 5, notes: 30, changes: 30)
    try archive.writeUnindexed { connection throws(DatabaseError) in
      try SearchIndex.clear(&connection)
    }
    #expect(try !archive.isSearchIndexSound())
    let again = try Archive.open(at: folder.path + "/a")
    #expect(try again.isSearchIndexSound())
  }

  @Test func `an index of another version of the folding is made anew`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 6, notes: 10, changes: 0)
    try archive.writeUnindexed { connection throws(DatabaseError) in
      try connection.execute(
        """
        UPDATE setting SET value='0' WHERE key='search.version';
        INSERT INTO search_index(search_index) VALUES ('delete-all');
        """)
    }
    #expect(try Archive.open(at: folder.path + "/a").isSearchIndexSound())
  }

  @Test func `favorites that are few among the first hits are gone through themselves`() throws {
    let folder = try TemporaryFolder()
    let archive = try Archive.openOrCreate(at: folder.path + "/a")
    try archive.save(
      (0..<2200).map { index in
        Note(
          text: index % 3 == 0 ? "rain" : "rain and sun", favorite: index < 1100 || index % 6 == 0,
          moment: Moment(milliseconds: index * 400))
      })
    let predicate = Query.Predicate.all([Catalog.mentions("rain"), .equal("favorite", true)])
    let (newest, oldest) = (
      NoteQuery(predicate, limit: 30), NoteQuery(predicate, sortedBy: [.init("date")], limit: 30)
    )
    #expect(try archive.source(of: newest) == .favorites)
    #expect(try archive.source(of: oldest) == .index)
    for query in [newest, oldest] {
      #expect(try archive.ids(of: query) == archive.idsByScan(query))
    }
    // The index of favorites gives their order; of the rows `f` nothing is read.
    #expect(
      try archive.explanation(of: newest).steps == [
        "SCAN f USING INDEX note_favorite",
        "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }

  @Test func `an OR of a text and a favorite is looked for on both sides`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 8, notes: 50, changes: 0)
    let favorite = Query.Predicate.equal("favorite", true)
    for either in [
      Query.Predicate.any([Catalog.mentions("京都"), favorite]),
      .any([.all([favorite, .equal("photoCount", 1)]), .contains("text", "rain")]),
      .all([
        .equal("photoCount", 0), .any([favorite, .contains("tags", "rain", quantifier: .any)]),
      ]),
    ] {
      let query = NoteQuery(either, sortedBy: [.init("text")], limit: 9)
      #expect(try archive.source(of: query, isCount: true) == .either)
      #expect(try archive.source(of: query) == .either)
      #expect(try archive.ids(of: query) == archive.idsByScan(query))
      #expect(try archive.explanation(of: query).search != nil)
    }
    let undecided = NoteQuery(.any([Catalog.mentions("京都"), .equal("photoCount", 0)]))
    #expect(try archive.source(of: undecided) == .notes)
  }

  @Test func `the index is asked for its keys, and the other tables by theirs`() throws {
    let folder = try TemporaryFolder()
    let archive = try archive(in: folder, seed: 7, notes: 10, changes: 0)
    let day = Query.Predicate.date(
      "date", from: Query.Instant(millisecondsSince1970: 0),
      to: Query.Instant(millisecondsSince1970: 1000))
    let plan = try NotePlan(
      NoteQuery(.all([.contains("text", "rain"), .equal("favorite", true), day]), limit: 50))
    let sql = plan.sql(from: .index)
    let steps = try archive.read { connection throws(DatabaseError) in
      try connection.all("EXPLAIN QUERY PLAN " + sql.text, sql.bindings.map { Value($0) }) {
        $0.string(3)
      }
    }
    #expect(
      steps == [
        "SCAN s VIRTUAL TABLE INDEX 192:M1><",
        "SEARCH f USING COVERING INDEX note_favorite_id "
          + "(id=? AND favorite=? AND deleted_at=? AND rowid=?)",
        "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH n USING INTEGER PRIMARY KEY (rowid=?)",
      ])
  }
}

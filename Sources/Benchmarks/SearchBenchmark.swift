import FoundationEssentials
import NoteArchive
import QueryLanguage
import SQLite

/// Searches an archive of made notes, and holds each answer against a look at every note.
struct SearchBenchmark {
  static let usage = """
    search [--notes N] [--folder DIR] [--terms N] [--term TEXT]... [--rebuild] [--unchecked]
    """

  private var noteCount = 1_000_000
  private var folder: String?
  private var termsPerLength = 6
  /// To search for instead of made ones.
  private var givenTerms: [String] = []
  private var isRebuilding = false
  /// Whether each answer is held against a scan, which takes most of the time.
  private var isChecking = true

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--notes": noteCount = rest.popFirst().flatMap { Int($0) } ?? noteCount
      case "--folder": folder = rest.popFirst()
      case "--terms": termsPerLength = rest.popFirst().flatMap { Int($0) } ?? termsPerLength
      case "--term": givenTerms += rest.popFirst().map { [$0] } ?? []
      case "--rebuild": isRebuilding = true
      case "--unchecked": isChecking = false
      default: print("usage: \(Self.usage)")
      }
    }
  }

  func run() throws {
    let path = folder ?? "/tmp/photonotes-search-\(noteCount)"
    let archive = try archive(at: path)
    let database = try Database(path: path + "/archive.db", mode: .readOnly)
    try printSize(database)
    if isRebuilding {
      let seconds = try time { try archive.rebuildSearchIndex() } / 1000
      print("index made anew: \(rounded(seconds * 1e6 / Double(noteCount))) µs a note")
    }
    try measureInserts(archive)
    print("merging the index: \(rounded(try time { try archive.mergeSearchIndex() })) ms")

    var page = Column(), whole = Column(), favorite = Column(), counting = Column()
    var like = Column(), ratio = Column()
    var wrong = 0
    print("\nterm (characters)        hits    page   notes  favorite   count    LIKE   (ms)")
    for term in try terms(in: archive) {
      let mentions = Catalog.mentions(term)
      let query = NoteQuery(mentions, limit: 50)
      let liked = NoteQuery(.all([mentions, .equal("favorite", true)]), limit: 50)
      let found = try archive.rows(of: NoteQuery(mentions))
      var isRight = true
      if isChecking {
        let expected = try archive.rows(of: NoteQuery(mentions), isIndexed: false)
        isRight =
          try found == expected && archive.rows(of: query) == Array(expected.prefix(50))
          && archive.rows(of: liked) == archive.rows(of: liked, isIndexed: false)
          && archive.count(mentions) == expected.count
      }
      if !isRight { wrong += 1 }
      let times = (
        page: try best { _ = try archive.rows(of: query) },
        whole: try best { _ = try archive.notes(query) },
        favorite: try best { _ = try archive.rows(of: liked) },
        count: try time { _ = try archive.count(mentions) },
        like: try time { try likePage(term, database) }
      )
      page.add(times.page)
      whole.add(times.whole)
      favorite.add(times.favorite)
      counting.add(times.count)
      like.add(times.like)
      ratio.add(times.like / times.page)
      let name = term.replacing("\n", with: " ") + " (\(term.count))"
      print(
        padded(name, 22), padded(String(found.count), -8), padded(rounded(times.page), -7),
        padded(rounded(times.whole), -7), padded(rounded(times.favorite), -9),
        padded(rounded(times.count), -7), padded(rounded(times.like), -7), isRight ? "" : "WRONG")
    }
    print("")
    page.print("first page of 50, newest first")
    whole.print("the same with the notes themselves")
    favorite.print("first page of favorites")
    counting.print("exact count")
    like.print("LIKE '%x%' on text alone")
    ratio.print("LIKE : first page", unit: "times")
    if isChecking {
      print(wrong == 0 ? "every answer is a full scan's" : "\(wrong) TERMS WITH WRONG ANSWERS")
    }
    try measureOthers(archive)
  }

  // MARK: The archive

  private func archive(at path: String) throws -> Archive {
    if FileManager.default.fileExists(atPath: path) { return try Archive.open(at: path) }
    let archive = try Archive.openOrCreate(at: path)
    var notes = MadeNotes()
    let seconds =
      try time {
        for start in stride(from: 0, to: noteCount, by: 5000) {
          try archive.save((start..<min(noteCount, start + 5000)).map { _ in notes.next() })
        }
      } / 1000
    print("made \(noteCount) notes: \(rounded(seconds * 1e6 / Double(noteCount))) µs a note")
    return archive
  }

  private func printSize(_ database: Database) throws {
    let sizes = try database.withConnection { connection throws(DatabaseError) in
      try connection.all(
        """
        SELECT CASE WHEN name LIKE 'search_index%' THEN 'pieces' WHEN name='search_document'
          THEN 'folded text' ELSE 'all else' END, sum(pgsize) FROM dbstat GROUP BY 1
        """
      ) { (name: $0.string(0), size: $0.int(1)) }
    }
    for (name, size) in sizes {
      print(
        padded(name, 12), padded(rounded(Double(size) / 1e6), -8), "MB",
        padded(String(size / noteCount), -6), "bytes a note")
    }
  }

  private func measureInserts(_ archive: Archive) throws {
    var notes = MadeNotes()
    var saving = Column(), editing = Column(), marking = Column()
    var made: [NoteID] = []
    for _ in 0..<300 {
      let note = notes.next()
      let fresh = Note(text: note.text, memo: note.memo, tags: note.tags, moment: note.moment)
      saving.add(try time { try archive.save(fresh) })
      editing.add(try time { _ = try archive.edit([fresh.id]) { $0.text += " edited" } })
      marking.add(try time { _ = try archive.edit([fresh.id]) { $0.favorite = true } })
      made.append(fresh.id)
    }
    _ = try archive.delete(made)
    saving.print("save a note, durable")
    editing.print("edit its text")
    marking.print("mark it as a favorite")
  }

  // MARK: Queries

  /// Pieces of notes, some of each length; and some that are nowhere.
  private func terms(in archive: Archive) throws -> [String] {
    guard givenTerms.isEmpty else { return givenTerms }
    var notes = MadeNotes()
    var terms: [String] = []
    for length in 1...8 {
      while terms.count < length * termsPerLength {
        let text = Array(notes.next().text)
        let term = String(text[(text.count - length) / 2..<(text.count + length) / 2])
        if !terms.contains(term) { terms.append(term) }
      }
    }
    return terms + ["龘", "zq", "qqq", "としてしか"]
  }

  private func likePage(_ term: String, _ database: Database) throws {
    _ = try database.withConnection { connection throws(DatabaseError) in
      try connection.all(
        """
        SELECT id FROM note WHERE deleted_at IS NULL AND text LIKE ? ORDER BY date DESC LIMIT 50
        """, [.text("%\(term)%")]
      ) { $0.int(0) }
    }
  }

  private func measureOthers(_ archive: Archive) throws {
    let (common, rare) = (Catalog.mentions("river"), Catalog.mentions("京都"))
    let favorite = Query.Predicate.equal("favorite", true)
    let year = Query.Predicate.date(
      "date", from: Query.Instant(millisecondsSince1970: 1_500_000_000_000),
      to: Query.Instant(millisecondsSince1970: 1_502_592_000_000))
    let byText = [Query.SortDescriptor("text")]
    let queries: [(String, NoteQuery)] = [
      ("OR of two terms", NoteQuery(.or([common, rare]), limit: 50)),
      ("OR of a term and favorites", NoteQuery(.or([rare, favorite]), limit: 50)),
      ("AND of two terms", NoteQuery(.and([common, rare]), limit: 50)),
      ("NOT of a term", NoteQuery(.not(common), limit: 50)),
      ("a term in a month", NoteQuery(.and([common, year]), limit: 50)),
      ("a term and a label", NoteQuery(.and([common, .equal("label", "label 3")]), limit: 50)),
      ("a term, by text", NoteQuery(rare, sortedBy: byText, limit: 50)),
      ("a frequent term, by text", NoteQuery(Catalog.mentions("a"), sortedBy: byText, limit: 50)),
      (
        "a frequent term, by change",
        NoteQuery(
          Catalog.mentions("a"), sortedBy: [.init("modifiedAt", ascending: false)], limit: 50)
      ),
      ("a term, oldest first", NoteQuery(rare, sortedBy: [.init("date")], limit: 50)),
    ]
    print("\nquery                             rows      ms  count ms  by scan")
    for (name, query) in queries {
      let found = try archive.rows(of: query)
      let milliseconds = try best { _ = try archive.rows(of: query) }
      let count = try time { _ = try archive.count(query.predicate) }
      var (scan, isRight) = ("", true)
      if isChecking {
        scan = rounded(
          try time {
            isRight = try archive.rows(of: query, isIndexed: false) == found
          })
      }
      print(
        padded(name, 30), padded(String(found.count), -6), padded(rounded(milliseconds), -8),
        padded(rounded(count), -8), padded(scan, -8), isRight ? "" : "WRONG")
    }
  }

  // MARK: Measuring

  private func time(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(body) / .milliseconds(1)
  }

  /// The best of seven runs, after one that warms: what else the machine does is left out.
  private func best(_ body: () throws -> Void) rethrows -> Double {
    try body()
    var best = Double.infinity
    for _ in 0..<7 { best = min(best, try time(body)) }
    return best
  }
}

import QueryLanguage
import SQLite

/// The folded text of each note outside the trash, and the words of it in FTS5, by the keys of `Migration.version2`.
///
/// Every write ends with `update`, in its transaction. What is pending all the same, after a
/// migration or a change by another program, is exact too: it is found without the index.
enum SearchIndex {
  /// Changes with the folding, and is to change with the words that are made of a document.
  static let version = "\(Query.Folding.version).1"

  /// The most notes that one transaction indexes: about half a second's work.
  static let batchSize = 5000

  /// The fields that are indexed.
  static let paths: Set<Query.Path> = ["text", "memo", "label", "tags", "photos.filename"]

  /// A word on notes that have too much text: these are candidates always.
  static let unknownWord = "\u{E0FF}"
  /// A word on notes whose folded text does not say all: see `Query.SearchDocument.isPlain`.
  static let unclearWord = "\u{E0FE}"

  /// Bytes of a note's folded text, and the number of its photos, past which it is not indexed.
  private static let byteLimit = 1 << 18
  private static let photoLimit = 4096

  /// Row ids have 28 bits; the seconds of a key are 0 at the earliest date that a note can have.
  static let rowMask = (1 << 28) - 1
  static let milliseconds = -(1 << 34) * 1000...(1 << 34) * 1000 - 1

  static func key(_ milliseconds: Int, row: Int) -> Int {
    ((milliseconds - Self.milliseconds.lowerBound) / 1000) << 28 | row
  }

  /// The same in SQL, of a row of notes; the triggers of `Migration.version2` have it too.
  static func key(ofRow row: String) -> String {
    "((\(row).date - \(milliseconds.lowerBound)) / 1000) << 28 | \(row).id"
  }

  /// The whole second since 1970 of a note's date, rounded down.
  static func second(of key: Int) -> Int { key >> 28 + milliseconds.lowerBound / 1000 }

  // MARK: Keeping it in step

  /// Whether all notes are as they are indexed.
  static func isComplete(_ connection: inout Connection) throws(DatabaseError) -> Bool {
    try connection.first("SELECT 1 FROM search_pending LIMIT 1") { _ in false } ?? true
  }

  /// Whether the index was made by the program's own folding.
  static func isCurrent(_ connection: inout Connection) throws(DatabaseError) -> Bool {
    try connection.first("SELECT value FROM setting WHERE key='search.version'") { $0.string(0) }
      == version
  }

  /// Empties the index: all notes are pending.
  static func clear(_ connection: inout Connection) throws(DatabaseError) {
    try connection.execute(
      """
      INSERT INTO search_index(search_index) VALUES ('delete-all');
      DELETE FROM search_document;
      DELETE FROM search_pending;
      INSERT INTO search_pending
        SELECT \(key(ofRow: "note")), id FROM note
        WHERE deleted_at IS NULL;
      INSERT OR REPLACE INTO setting VALUES ('search.version', '\(version)');
      """)
  }

  /// Indexes notes that are pending, a batch at most, and tells whether that was all.
  static func update(_ connection: inout Connection) throws(DatabaseError) -> Bool {
    // Ascending keys: FTS5 flushes what it holds at each that goes back.
    let pending = try connection.all(
      "SELECT key, note FROM search_pending ORDER BY key LIMIT \(batchSize)"
    ) { (key: $0.int(0), note: $0.int(1)) }
    for (key, note) in pending { try update(note, indexedAs: key, &connection) }
    return pending.count < batchSize
  }

  /// Takes a step, of a third of a second or so, in merging what FTS5 has written at many times into
  /// one, and tells whether there is more to do.
  ///
  /// After a million notes in 24 segments, one made searches three to five times as fast.
  static func merge(
    isFirstStep: Bool, _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    let before = connection.totalChangeCount
    // A negative number of pages: all segments are to become one, not only those of one level.
    try connection.run(
      "INSERT INTO search_index(search_index, rank) VALUES ('merge', ?)",
      [.integer(isFirstStep ? -2000 : 2000)])
    return connection.totalChangeCount - before >= 2  // As FTS5's documentation has it.
  }

  private static func update(
    _ note: Int, indexedAs oldKey: Int, _ connection: inout Connection
  ) throws(DatabaseError) {
    let old = try storedDocument(oldKey, &connection)
    let new = try document(of: note, &connection)
    try connection.run("DELETE FROM search_pending WHERE key=?", [.integer(oldKey)])
    if let old, let new, oldKey == new.key, old == new.document { return }
    if let old {
      // A contentless index has to be told what it holds, to the letter.
      try connection.run(
        "INSERT INTO search_index(search_index, rowid, words) VALUES ('delete',?,?)",
        [.integer(oldKey), .text(old.words)])
      try connection.run("DELETE FROM search_document WHERE key=?", [.integer(oldKey)])
    }
    if let new {
      try connection.run(
        "INSERT INTO search_document(key, text) VALUES (?,?)",
        [.integer(new.key), .text(orNull: new.document.text)])
      try connection.run(
        "INSERT INTO search_index(rowid, words) VALUES (?,?)",
        [.integer(new.key), .text(new.document.words)])
    }
  }

  /// What is indexed of a note.
  struct Document: Equatable {
    /// Nil where it is too much.
    var text: String?

    var words: String { text.map(Query.SearchDocument.words) ?? unknownWord }

    static func == (left: Document, right: Document) -> Bool {
      // By code points: Swift takes canonical equivalents for equal, SQLite does not.
      switch (left.text, right.text) {
      case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
      case (nil, nil): true
      default: false
      }
    }
  }

  private static func storedDocument(
    _ key: Int, _ connection: inout Connection
  ) throws(DatabaseError) -> Document? {
    try connection.first("SELECT text FROM search_document WHERE key=?", [.integer(key)]) {
      Document(text: $0.stringIfPresent(0))
    }
  }

  /// The key and the document of a note as it is now; nil where it is not there, or in the trash.
  private static func document(
    of note: Int, _ connection: inout Connection
  ) throws(DatabaseError) -> (key: Int, document: Document)? {
    let found = try connection.first(
      """
      SELECT text, memo, label, \(key(ofRow: "note")), photo_count
      FROM note WHERE id=? AND deleted_at IS NULL
      """, [.integer(note)]
    ) { row in
      (
        fields: [row.string(0), row.stringIfPresent(1), row.stringIfPresent(2)].compactMap(\.self),
        key: row.int(3), photoCount: row.int(4)
      )
    }
    guard let found else { return nil }
    guard found.photoCount <= photoLimit else { return (found.key, Document(text: nil)) }
    var fields = found.fields
    try connection.run(
      "SELECT tag.name FROM note_tag JOIN tag ON tag.id=note_tag.tag WHERE note_tag.note=?",
      [.integer(note)]
    ) { fields.append($0.string(0)) }
    if found.photoCount > 0 {
      try connection.run("SELECT filename FROM photo WHERE note=?", [.integer(note)]) {
        fields.append($0.string(0))
      }
    }
    var document = Query.SearchDocument()
    for field in fields {
      document.append(field)
      if document.text.utf8.count > byteLimit { return (found.key, Document(text: nil)) }
    }
    let isPlain = document.isPlain
    return (
      found.key,
      Document(
        text: isPlain
          ? document.text
          : document.text + String(Query.SearchDocument.separator) + unclearWord)
    )
  }

  // MARK: Checking it

  /// What a check of the whole index found.
  struct Check: Equatable, Sendable {
    /// The notes, by row id, whose documents are not as the notes are; of a note that is not there
    /// there should be none.
    var wrongNotes: [Int] = []
    /// Whether FTS5 holds the words of the documents, all of them and no others.
    var areWordsRight = true
  }

  /// Compares every note with its document, and every document with what FTS5 holds of it.
  ///
  /// Of the words only sums are kept, so it takes time but no memory. It needs a connection that
  /// may write, for a temporary view of the index.
  static func check(_ connection: inout Connection) throws(DatabaseError) -> Check {
    var check = Check()
    var expected: UInt64 = 0
    var keys = Set(try connection.all("SELECT key FROM search_document") { $0.int(0) })
    for note in try connection.all(
      "SELECT id FROM note WHERE deleted_at IS NULL", [], { $0.int(0) })
    {
      guard let current = try document(of: note, &connection) else { continue }
      let stored = try storedDocument(current.key, &connection)
      if stored != current.document { check.wrongNotes.append(note) }
      keys.remove(current.key)
      if let stored { expected &+= stored.sum(key: current.key) }
    }
    for key in keys {
      check.wrongNotes.append(key & rowMask)
      if let stored = try storedDocument(key, &connection) { expected &+= stored.sum(key: key) }
    }
    try connection.execute(
      """
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary
        USING fts5vocab(main, search_index, instance)
      """)
    var found: UInt64 = 0
    try connection.run("SELECT term, doc FROM temp.search_vocabulary") {
      found &+= Document.sum(word: $0.string(0).utf8, key: $0.int(1))
    }
    check.areWordsRight = found == expected
    return check
  }
}

extension SearchIndex.Document {
  fileprivate func sum(key: Int) -> UInt64 {
    words.utf8.split(separator: 0x20).reduce(0) { $0 &+ Self.sum(word: $1, key: key) }
  }

  /// FNV-1a: sums of it differ wherever a word or a key does, but for one case in 2^64.
  fileprivate static func sum(word: some Sequence<UInt8>, key: Int) -> UInt64 {
    var hash = 0xcbf2_9ce4_8422_2325 ^ UInt64(bitPattern: Int64(key)) &* 0x9e37_79b9_7f4a_7c15
    for byte in word { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash ^ hash >> 32
  }
}

import NoteArchive
import QueryLanguage
import SQLite
import Synchronization

/// Notes twice: as records, and in a database in memory.
struct TestArchive: Sendable {
  let notes: [TestNote]
  private let database: Database

  init(_ notes: [TestNote]) throws {
    self.notes = notes
    database = try Database(path: ":memory:", mode: .create)
    try database.withConnection { (connection: inout Connection) throws(DatabaseError) in
      for function in Query.SQLFunction.all { try connection.register(Function(function)) }
      try connection.execute(
        """
        CREATE TABLE note (
          id TEXT PRIMARY KEY, text TEXT NOT NULL, memo TEXT, label TEXT,
          favorite INTEGER NOT NULL, date INTEGER NOT NULL, created INTEGER NOT NULL) STRICT;
        CREATE TABLE tag (
          note TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
          PRIMARY KEY (note, position)) STRICT;
        CREATE TABLE photo (
          id INTEGER PRIMARY KEY, note TEXT NOT NULL, position INTEGER NOT NULL,
          filename TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
          size INTEGER NOT NULL, taken INTEGER, format TEXT NOT NULL) STRICT;
        CREATE INDEX photo_note ON photo (note);
        """)
      for note in notes { try connection.insert(note) }
    }
  }

  /// The notes for which the predicate holds, found record by record.
  func idsInMemory(_ predicate: Query.Predicate, now: Query.Instant = .now) throws -> [String] {
    let evaluator = try Query.Evaluator(predicate, on: .note)
    return try notes.filter { try evaluator.matches($0, now: now) }.map(\.id)
  }

  /// The notes for which the predicate holds, found by the database.
  func idsInSQL(_ predicate: Query.Predicate, now: Query.Instant = .now) throws -> [String] {
    let condition = try Query.SQL.condition(predicate, on: .note, alias: "n", now: now)
    return try strings("SELECT id FROM note AS n WHERE \(condition) ORDER BY rowid")
  }

  /// The first column of a query's rows.
  func strings(_ sql: Query.SQL) throws -> [String] {
    try database.withConnection { (connection: inout Connection) throws(DatabaseError) in
      try connection.all(sql.text, sql.bindings.map(Value.init)) { row throws(DatabaseError) in
        row.string(0)
      }
    }
  }
}

extension Connection {
  fileprivate mutating func insert(_ note: TestNote) throws(DatabaseError) {
    try run(
      "INSERT INTO note VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(note.id), .text(note.text), .text(orNull: note.memo), .text(orNull: note.label),
        .bool(note.favorite), .integer(note.date.millisecondsSince1970),
        .integer(note.createdAt.millisecondsSince1970),
      ])
    for (position, tag) in note.tags.enumerated() {
      try run(
        "INSERT INTO tag VALUES (?, ?, ?)", [.text(note.id), .integer(position), .text(tag)])
    }
    for (position, photo) in note.photos.enumerated() {
      try run(
        "INSERT INTO photo VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(note.id), .integer(position), .text(photo.filename), .integer(photo.width),
          .integer(photo.height), .integer(photo.byteSize),
          photo.takenAt.map { .integer($0.millisecondsSince1970) } ?? .null, .text(photo.format),
        ])
    }
  }
}

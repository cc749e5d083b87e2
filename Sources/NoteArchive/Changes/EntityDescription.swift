public import QueryLanguage
import SQLite

/// A kind of record that lists can show: a table, and how to make values of its rows.
public struct EntityDescription<Element: Sendable & Equatable>: Sendable {
  /// What predicates, orders and sections can be about.
  public let entity: Query.Entity
  /// Where the notes are, of an entity that is about notes.
  let place: NoteQuery.Place?
  /// SQL that holds for every row `n` that the entity is about.
  let scope: Query.SQL
  /// What the log of changes calls the records whose writes concern this entity.
  let logName: String
  /// SQL for the record that the row `n` changes with: itself or, for a photo, its note.
  let loggedRecord: String
  /// Makes a value of a row.
  let read: Reader

  /// Makes a value of the row with an id, or nil where there is none; `version` grows with each
  /// time that the row is found changed.
  typealias Reader =
    @Sendable (_ row: Int, _ version: Int, _ connection: inout Connection) throws(DatabaseError)
    -> Element?

  /// An entity whose table has an `id`, and whose writes are logged under a name.
  init(
    _ entity: Query.Entity, scope: Query.SQL = "1", logName: String,
    loggedRecord: String = "n.id", read: @escaping Reader
  ) {
    self.init(
      entity, in: nil, scope: scope, logName: logName, loggedRecord: loggedRecord, read: read)
  }

  private init(
    _ entity: Query.Entity, in place: NoteQuery.Place?, scope: Query.SQL = "1", logName: String,
    loggedRecord: String = "n.id", read: @escaping Reader
  ) {
    (self.entity, self.place, self.scope) = (entity, place, scope)
    (self.logName, self.loggedRecord, self.read) = (logName, loggedRecord, read)
  }

  /// Whether a row is logged under its own id.
  var logsItsRows: Bool { loggedRecord == "n.id" }

  /// Notes in the archive or its trash.
  fileprivate static func notes(in place: NoteQuery.Place, read: @escaping Reader) -> Self {
    Self(Catalog.note, in: place, logName: "note", read: read)
  }
}

extension EntityDescription: Equatable {
  /// Whether both are about the same rows; their values are made of them in the same way.
  public static func == (left: Self, right: Self) -> Bool {
    left.entity.table == right.entity.table && left.place == right.place
      && left.scope == right.scope && left.logName == right.logName
  }
}

extension EntityDescription<Note> {
  /// The notes that are not in the trash, with all that is on them.
  public static var notes: Self { .notes(in: .archive, read: note) }
  /// The notes in the trash.
  public static var trash: Self { .notes(in: .trash, read: note) }

  private static let note: Reader = { row, _, connection throws(DatabaseError) in
    try NoteStore.note(row: row, &connection)
  }
}

extension EntityDescription<NoteReference> {
  /// The notes that are not in the trash, 16 bytes each: for lists without a limit.
  public static var noteReferences: Self {
    .notes(in: .archive) { row, version, _ in NoteReference(row: row, version: version) }
  }
}

extension EntityDescription<Photo> {
  /// The photos of the notes that are not in the trash.
  public static var photos: Self {
    Self(
      Catalog.photo, scope: "n.note IN (SELECT id FROM note WHERE deleted_at IS NULL)",
      logName: "note", loggedRecord: "n.note"
    ) { row, _, connection throws(DatabaseError) in
      try connection.first(
        "SELECT \(NoteStore.photoColumns) FROM photo_detail WHERE id=?", [.integer(row)]
      ) { NoteStore.photo($0) } ?? nil
    }
  }
}

/// Stands for a note in a list of very many, until somebody looks: see `Archive.notes(_:)`.
///
/// A reference that is equal to another is of the same note, unchanged since. It is good for one
/// list, as long as that lives.
public struct NoteReference: Hashable, Sendable {
  let row: Int
  let version: Int
}

extension Archive {
  /// The notes that are referred to, such as a page of a long list; those that are gone are left out.
  public func notes(_ references: some Collection<NoteReference>) throws(ArchiveError) -> [Note] {
    let rows = references.map(\.row)
    return try read { connection throws(DatabaseError) in
      var notes: [Note] = []
      for row in rows {
        if let note = try NoteStore.note(row: row, &connection) { notes.append(note) }
      }
      return notes
    }
  }
}

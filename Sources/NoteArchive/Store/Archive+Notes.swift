import FoundationEssentials
public import QueryLanguage
import SQLite

extension Archive {
  /// How many notes the predicate holds for.
  public func count(
    _ predicate: Query.Predicate = .constant(true), in place: NoteQuery.Place = .archive
  ) throws(ArchiveError) -> Int {
    guard case .not(let opposite) = predicate else {
      let plan = try NotePlan(NoteQuery(predicate, in: place))
      return try read { connection throws(DatabaseError) in try plan.count(&connection) }
    }
    // Of a predicate and its opposite, exactly one holds for a note; and the index can find what is
    // there, not what is missing.
    let all = try NotePlan(NoteQuery(in: place))
    let others = try NotePlan(NoteQuery(opposite, in: place))
    return try read { connection throws(DatabaseError) in
      try all.count(&connection) - others.count(&connection)
    }
  }

  /// The notes that are asked for, all in memory.
  public func notes(_ query: NoteQuery = NoteQuery()) throws(ArchiveError) -> [Note] {
    let plan = try NotePlan(query)
    return try read { connection throws(DatabaseError) in
      var notes: [Note] = []
      for row in try plan.rows(&connection) {
        if let note = try NoteStore.note(row: row, &connection) { notes.append(note) }
      }
      return notes
    }
  }

  /// Lends each note that is asked for to `body`, in order.
  ///
  /// Only the notes' row ids are held, 8 bytes each, and no snapshot is kept open meanwhile: a note
  /// that another program deletes for good in between is left out.
  public func forEachNote<Failure: Error>(
    _ query: NoteQuery = NoteQuery(), _ body: (Note) throws(Failure) -> Void
  ) throws {
    for row in try rows(of: query) {
      if let note = try note(row: row) { try body(note) }
    }
  }

  /// The ids of the notes that are asked for, in order.
  public func ids(of query: NoteQuery) throws(ArchiveError) -> [NoteID] {
    let rows = try rows(of: query)
    return try read { connection throws(DatabaseError) in
      var ids: [NoteID] = []
      for row in rows {
        let id = try connection.first("SELECT uuid FROM note WHERE id=?", [.integer(row)]) {
          NoteID(bytes: $0.blob(0))
        }
        if let id = id ?? nil { ids.append(id) }
      }
      return ids
    }
  }

  /// The note with this id, in the archive or its trash; nil where there is none.
  public func note(_ id: NoteID) throws(ArchiveError) -> Note? {
    try read { connection throws(DatabaseError) in
      guard let row = try NoteStore.row(of: id, &connection) else { return nil }
      return try NoteStore.note(row: row, &connection)
    }
  }

  /// The id that begins with `prefix`, as a person gives it.
  ///
  /// - Throws: `.noSuchNote` or `.ambiguousNote` where it is not exactly one.
  public func id(
    beginningWith prefix: String, in place: NoteQuery.Place? = nil
  ) throws(ArchiveError) -> NoteID {
    guard let range = NoteID.Prefix(prefix) else { throw .noSuchNote(prefix) }
    let condition =
      switch place {
      case .archive: "AND deleted_at IS NULL"
      case .trash: "AND deleted_at IS NOT NULL"
      case nil: ""
      }
    let found = try read { connection throws(DatabaseError) in
      try connection.all(
        "SELECT uuid FROM note WHERE uuid BETWEEN ? AND ? \(condition)",
        [.blob(range.low.bytes), .blob(range.high.bytes)]
      ) { NoteID(bytes: $0.blob(0)) }
    }.compactMap { $0 }
    guard let first = found.first else { throw .noSuchNote(prefix) }
    guard found.count == 1 else { throw .ambiguousNote(prefix, count: found.count) }
    return first
  }

  /// Adds a note, or writes the fields of one that is there; `modifiedAt` is set to now.
  ///
  /// The photos of a new note are those given, whose originals have to be stored; those of a note
  /// that is there stay as they are.
  public func save(_ note: Note) throws(ArchiveError) { try save([note]) }

  /// Saves notes, all of them or none.
  public func save(_ notes: [Note]) throws(ArchiveError) {
    try write { connection throws(DatabaseError) in
      for var note in notes {
        if let row = try NoteStore.row(of: note.id, &connection) {
          note.modifiedAt = .now
          try NoteStore.update(note, row: row, &connection)
        } else {
          _ = try NoteStore.insert(note, &connection)
        }
      }
    }
  }

  /// Changes notes, all of them or none, and returns how many there were.
  ///
  /// A note that is not there is passed over.
  public func edit(_ ids: [NoteID], _ change: (inout Note) -> Void) throws(ArchiveError) -> Int {
    try write { connection throws(DatabaseError) in
      var count = 0
      for id in ids {
        guard let row = try NoteStore.row(of: id, &connection),
          var note = try NoteStore.note(row: row, &connection)
        else { continue }
        let before = note
        change(&note)
        if note != before {
          note.modifiedAt = .now
          try NoteStore.update(note, row: row, &connection)
        }
        if note.photos != before.photos {
          try NoteStore.setPhotos(note.photos, of: row, &connection)
        }
        count += 1
      }
      return count
    }
  }

  /// Puts notes into the trash, and returns how many were not there before.
  public func delete(_ ids: [NoteID]) throws(ArchiveError) -> Int {
    try setDeleted(at: .now, ids)
  }

  /// Takes notes out of the trash, and returns how many were there.
  public func restore(_ ids: [NoteID]) throws(ArchiveError) -> Int {
    try setDeleted(at: nil, ids)
  }

  private func setDeleted(at date: Date?, _ ids: [NoteID]) throws(ArchiveError) -> Int {
    try write { connection throws(DatabaseError) in
      var count = 0
      for id in ids { count += try NoteStore.setDeleted(at: date, id, &connection) }
      return count
    }
  }

  /// The row ids of the notes that are asked for, in order; without the search index, for a
  /// comparison, if `isIndexed` is false.
  package func rows(of query: NoteQuery, isIndexed: Bool = true) throws(ArchiveError) -> [Int] {
    let plan = try NotePlan(query)
    return try read { connection throws(DatabaseError) in
      isIndexed ? try plan.rows(&connection) : try plan.rows(from: .notes, &connection)
    }
  }

  private func note(row: Int) throws(ArchiveError) -> Note? {
    try read { connection throws(DatabaseError) in try NoteStore.note(row: row, &connection) }
  }
}

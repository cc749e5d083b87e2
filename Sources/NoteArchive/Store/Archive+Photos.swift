public import QueryLanguage
import SQLite

/// Which photos are asked for, in which order, and how many at most; those in the trash never are.
public struct PhotoQuery: Sendable, Hashable {
  /// What holds for a photo (`Catalog.photo`).
  public var predicate: Query.Predicate
  /// What holds for the note that it is on (`Catalog.note`).
  public var notePredicate: Query.Predicate
  /// Photos that the descriptors leave equal come in the order of notes and positions.
  public var sortDescriptors: [Query.SortDescriptor]
  /// The most photos to give.
  public var limit: Int?

  /// Asks for the photos that both predicates hold for, by default those of the newest notes first.
  public init(
    _ predicate: Query.Predicate = .constant(true),
    onNotes notePredicate: Query.Predicate = .constant(true),
    sortedBy sortDescriptors: [Query.SortDescriptor] = [
      .init("note.date", ascending: false), .init("position"),
    ],
    limit: Int? = nil
  ) {
    (self.predicate, self.notePredicate) = (predicate, notePredicate)
    (self.sortDescriptors, self.limit) = (sortDescriptors, limit)
  }
}

extension Archive {
  /// Lends each photo that is asked for to `body`, in order, with the id of its note.
  ///
  /// Only row ids are held; a photo that is taken away in between is left out.
  public func forEachPhoto<Failure: Error>(
    _ query: PhotoQuery = PhotoQuery(), _ body: (NoteID, Photo) throws(Failure) -> Void
  ) throws {
    let initial = try PhotoPlan(query)
    let rows = try read { connection throws(DatabaseError) in
      var plan = initial
      return try connection.rows(plan.sql(&connection)) { $0.int(0) }
    }
    for row in rows {
      let found = try read { connection throws(DatabaseError) in
        try connection.first(
          """
          SELECT \(NoteStore.photoColumns), (SELECT uuid FROM note WHERE note.id=photo_detail.note)
          FROM photo_detail WHERE id=?
          """, [.integer(row)]
        ) { (id: NoteID(bytes: $0.blob(14)), photo: NoteStore.photo($0)) }
      }
      if let id = found?.id, let photo = found?.photo { try body(id, photo) }
    }
  }
}

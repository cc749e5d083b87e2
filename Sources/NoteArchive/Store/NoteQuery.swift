public import QueryLanguage
import SQLite

/// Which notes are asked for, in which order, and how many at most.
public struct NoteQuery: Sendable, Hashable {
  /// Where the notes are.
  public enum Place: Sendable, Hashable {
    case archive, trash
  }

  /// What holds for the notes.
  public var predicate: Query.Predicate
  /// Notes that the descriptors leave equal come in the order of their ids.
  public var sortDescriptors: [Query.SortDescriptor]
  /// The most notes to give; nil for all.
  public var limit: Int?
  /// Whether the notes are in the archive or in its trash.
  public var place: Place

  /// Asks for the notes that `predicate` holds for, newest first unless said otherwise.
  public init(
    _ predicate: Query.Predicate = .constant(true),
    sortedBy sortDescriptors: [Query.SortDescriptor] = [.init("date", ascending: false)],
    limit: Int? = nil, in place: Place = .archive
  ) {
    (self.predicate, self.sortDescriptors) = (predicate, sortDescriptors)
    (self.limit, self.place) = (limit, place)
  }

  /// The SQL that gives the row ids of the notes, in order, by a look at each note.
  ///
  /// - Throws: `ArchiveError.query` where the predicate or an order does not fit notes.
  package func sql() throws(ArchiveError) -> Query.SQL {
    let limit: Query.SQL = limit.map { " LIMIT \(Query.Value.integer(Int64($0)))" } ?? ""
    return "SELECT n.id FROM note n WHERE \(try condition()) ORDER BY \(try order())\(limit)"
  }

  /// The order of the rows `n`.
  func order() throws(ArchiveError) -> Query.SQL {
    try Self.telling { () throws(Query.Problem) in
      try Query.SQL.order(sortDescriptors, on: Catalog.note, alias: "n")
    }
  }

  /// The SQL that is true of the row `n` of a note which is asked for, order and limit aside.
  func condition() throws(ArchiveError) -> Query.SQL {
    let condition = try Self.telling { () throws(Query.Problem) in
      try Query.SQL.condition(predicate, on: Catalog.note, alias: "n")
    }
    return place == .archive
      ? "n.deleted_at IS NULL AND (\(condition))" : "n.deleted_at IS NOT NULL AND (\(condition))"
  }

  /// Tells a problem with a predicate or an order as the archive's.
  static func telling<Output>(
    _ body: () throws(Query.Problem) -> Output
  ) throws(ArchiveError) -> Output {
    do throws(Query.Problem) { return try body() } catch {
      throw .query(detail: error.errorDescription ?? "\(error)")
    }
  }
}

extension Connection {
  mutating func rows<Element>(
    _ sql: Query.SQL, _ read: (borrowing Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    try all(sql.text, sql.bindings.map { Value($0) }, read)
  }
}

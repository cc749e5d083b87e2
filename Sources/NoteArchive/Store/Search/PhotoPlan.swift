import QueryLanguage
import SQLite

/// How the photos of a query are found: on the notes that the search index gives where those are few,
/// else by a look at each.
struct PhotoPlan: Sendable {
  private var notes: NotePlan
  private let condition: Query.SQL
  private let order: Query.SQL
  private let limit: Query.SQL

  /// The fields that the documents of notes have, as a photo names them.
  private static let paths: Set<Query.Path> = [
    "filename", "note.text", "note.memo", "note.label", "note.tags", "note.photos.filename",
  ]

  /// - Throws: `ArchiveError.query` where a predicate or the order does not fit.
  init(_ query: PhotoQuery) throws(ArchiveError) {
    notes = try NotePlan(
      NoteQuery(query.notePredicate),
      having: SearchTerms(query.predicate.textCondition, in: Self.paths))
    limit = query.limit.map { " LIMIT \(.integer(Int64($0)))" } ?? ""
    (condition, order) = try NoteQuery.telling { () throws(Query.Problem) in
      (
        try Query.SQL.condition(query.predicate, on: Catalog.photo, alias: "p"),
        try Query.SQL.order(query.sortDescriptors, on: Catalog.photo, alias: "p")
      )
    }
  }

  /// The SQL that gives the ids of photos, in order.
  mutating func sql(_ connection: inout Connection) throws(DatabaseError) -> Query.SQL {
    "SELECT p.id \(try candidates(&connection)) AND (\(condition)) ORDER BY \(order)\(limit)"
  }

  /// How many photos the predicate has to be asked about.
  mutating func candidateCount(_ connection: inout Connection) throws(DatabaseError) -> Int {
    try connection.rows("SELECT count(*) \(try candidates(&connection))") { $0.int(0) }.first ?? 0
  }

  /// What the search index is asked for; nil where it is not.
  mutating func search(_ connection: inout Connection) throws(DatabaseError) -> String? {
    try notes.fewCandidates(&connection) == nil ? nil : notes.match
  }

  private mutating func candidates(
    _ connection: inout Connection
  ) throws(DatabaseError) -> Query.SQL {
    let few: Query.SQL = try notes.fewCandidates(&connection).map { "n.id IN (\($0)) AND" } ?? ""
    return "FROM photo_detail p JOIN note n ON n.id=p.note WHERE \(few) (\(notes.condition))"
  }
}

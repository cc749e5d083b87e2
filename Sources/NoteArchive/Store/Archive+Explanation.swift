import QueryLanguage
import SQLite

/// How a query for notes, or for photos, is answered.
public struct QueryExplanation: Sendable, Hashable {
  /// The predicate in the form that is parsed.
  public var predicate: String
  /// The statement, with the values in it.
  public var sql: String
  /// What SQLite goes through, from the outermost loop to the innermost, in its words.
  public var steps: [String]
  /// What the search index is asked for, or nil where it is of no use.
  public var search: String?
  /// How many the predicate has to be asked about, the limit aside.
  public var candidates: Int
  /// For how many of them it holds, the limit aside.
  public var matches: Int
}

extension Archive {
  /// Tells how a query is answered, and counts.
  public func explanation(of query: NoteQuery) throws(ArchiveError) -> QueryExplanation {
    let initial = try NotePlan(query)
    return try read { connection throws(DatabaseError) in
      var plan = initial
      let source = try plan.source(isCount: false, &connection)
      let sql = plan.sql(from: source)
      return QueryExplanation(
        predicate: query.predicate.format, sql: sql.literalText, steps: try connection.steps(sql),
        search: [.index, .either].contains(source) ? plan.match : nil,
        candidates: try plan.candidateCount(from: source, &connection),
        matches: try plan.count(&connection))
    }
  }

  /// Tells how a query for photos is answered, and counts.
  public func explanation(of query: PhotoQuery) throws(ArchiveError) -> QueryExplanation {
    var all = query
    all.limit = nil
    let (initial, unlimited) = (try PhotoPlan(query), try PhotoPlan(all))
    let onNotes =
      query.notePredicate == .constant(true)
      ? "" : ", on notes for which " + query.notePredicate.format
    return try read { connection throws(DatabaseError) in
      var (plan, all) = (initial, unlimited)
      let sql = try plan.sql(&connection)
      return QueryExplanation(
        predicate: query.predicate.format + onNotes, sql: sql.literalText,
        steps: try connection.steps(sql), search: try plan.search(&connection),
        candidates: try plan.candidateCount(&connection),
        matches: try connection.rows(all.sql(&connection)) { $0.int(0) }.count)
    }
  }

  /// Whether the search index is asked for the notes of a query.
  package func isSearchIndexAsked(for query: NoteQuery) throws(ArchiveError) -> Bool {
    let initial = try NotePlan(query)
    return try read { connection throws(DatabaseError) in
      var plan = initial
      return try plan.source(isCount: false, &connection) != .notes
    }
  }
}

extension Connection {
  /// What SQLite goes through for a statement, the selects inside its conditions aside.
  fileprivate mutating func steps(_ sql: Query.SQL) throws(DatabaseError) -> [String] {
    let bindings = sql.bindings.map { Value($0) }
    let steps = try all("EXPLAIN QUERY PLAN " + sql.text, bindings) { row in
      (parent: row.int(1), detail: row.string(3))
    }
    let selects = ["CORRELATED", "LIST SUBQUERY"]
    return steps.filter { step in
      step.parent == 0 && !selects.contains { step.detail.hasPrefix($0) }
    }.map { step in
      // SQLite names FTS5's plan by a number.
      step.detail.hasPrefix("SCAN s VIRTUAL") ? "SCAN s USING search_index" : step.detail
    }
  }
}

extension Query.SQL {
  /// The SQL with a literal for each value, for a person to read.
  fileprivate var literalText: String {
    let pieces = text.split(separator: "?", omittingEmptySubsequences: false)
    return zip(pieces, bindings.map(\.literal) + [""]).map { $0 + $1 }.joined()
  }
}

extension Query.Value {
  fileprivate var literal: String {
    switch stored {
    case .integer(let integer): String(integer)
    case .double(let double): String(double)
    case .string(let text): "'" + text.replacing("'", with: "''") + "'"
    case .null, .bool, .date, .list: "NULL"
    }
  }
}

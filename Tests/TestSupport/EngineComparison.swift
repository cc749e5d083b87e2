package import NoteArchive
package import QueryLanguage

/// Compares what predicates mean in memory with what they select in an archive.
package struct EngineComparison {
  /// What came of one predicate.
  package struct Outcome: Sendable {
    /// How many notes it selects.
    package var matches = 0
    /// Spent on asking about each note in memory, where they lie in the right order.
    package var memory = Duration.zero
    /// Spent by the archive on finding their rows by a look at each, and on ordering them.
    package var scan = Duration.zero
    /// The same with the search index; nil where that is not asked.
    package var search: Duration?
    /// What should have been the same and was not, each with some ids.
    package var disagreements: [String] = []
  }

  private let archive: Archive
  /// In the order of ids.
  private let notes: [HeldNote]
  private var orders: [[Query.SortDescriptor]: [HeldNote]] = [:]

  /// How many notes are compared.
  package var noteCount: Int { notes.count }

  /// Takes all notes of the archive into memory.
  package init(_ archive: Archive) throws {
    let all = NoteQuery(sortedBy: [])
    self.archive = archive
    notes = zip(try archive.rows(of: all), try archive.notes(all)).map(HeldNote.init)
  }

  /// Compares the notes that `predicate` selects, in order, those of its negation, the first page
  /// that the index gives, how many there are, and itself with what is read of its printed format.
  package mutating func outcome(
    of predicate: Query.Predicate, sortedBy order: [Query.SortDescriptor]
  ) async throws -> Outcome {
    let query = NoteQuery(predicate, sortedBy: order)
    return try await outcome(of: query, among: try held(in: order))
  }

  private func outcome(of query: NoteQuery, among held: [HeldNote]) async throws -> Outcome {
    let predicate = query.predicate
    let (selected, memory) = try Self.timed { try Self.rows(predicate, in: held) }
    let (scanned, scan) = try Self.timed { try archive.rows(of: query, isIndexed: false) }
    var outcome = Outcome(matches: selected.count, memory: memory, scan: scan)
    let chosen = Set(selected)
    let rest = held.map(\.row).filter { !chosen.contains($0) }
    var (negated, page) = (query, query)
    (negated.predicate, page.limit) = (.not(predicate), 50)
    var checks: [@Sendable () throws -> String?] = [
      { difference("by a look at each note", selected, scanned) },
      { difference("of NOT, in memory", rest, try Self.rows(.not(predicate), in: held)) },
      { [negated] in difference("of NOT", rest, try archive.rows(of: negated)) },
      {
        // The archive makes it of the count of all and that of the predicate: this checks the three.
        let count = try archive.count(.not(predicate))
        return count == rest.count ? nil : "counted \(count) of NOT, not \(rest.count)"
      },
      {
        (try? Query.Predicate(predicate.format, on: Catalog.note)) == predicate
          ? nil : "the printed format reads as another predicate"
      },
    ]
    if try archive.isSearchIndexAsked(for: query) {
      let (found, search) = try Self.timed { try archive.rows(of: query) }
      outcome.search = search
      checks += [
        { difference("by the index", selected, found) },
        { [page] in
          difference("on the first page", Array(selected.prefix(50)), try archive.rows(of: page))
        },
      ]
    }
    // Only what is timed has the machine to itself.
    outcome.disagreements = try await withThrowingTaskGroup(of: String?.self) { group in
      for check in checks { group.addTask { try check() } }
      return try await group.reduce(into: []) { all, text in if let text { all.append(text) } }
    }
    return outcome
  }

  /// All notes in an order; ids break ties in the direction of the last descriptor, as in SQL.
  private mutating func held(in order: [Query.SortDescriptor]) throws -> [HeldNote] {
    if let known = orders[order] { return known }
    let ascending = order.last?.ascending ?? true
    let sorted = try (ascending ? notes : notes.reversed()).sorted(by: order, on: Catalog.note)
    orders[order] = sorted
    return sorted
  }

  private static func rows(_ predicate: Query.Predicate, in notes: [HeldNote]) throws -> [Int] {
    let evaluator = try Query.Evaluator(predicate, on: Catalog.note)
    let now = Query.Instant.now
    return try notes.filter { try evaluator.matches($0, now: now) }.map(\.row)
  }

  /// What differs between the rows that memory has and those of SQL, or nil.
  private func difference(_ name: String, _ expected: [Int], _ rows: [Int]) -> String? {
    if rows == expected { return nil }
    let (missing, extra) = (Set(expected).subtracting(rows), Set(rows).subtracting(expected))
    if missing.isEmpty, extra.isEmpty { return "\(name): the same notes in another order" }
    return """
      \(name): \(missing.count) missing (\(ids(missing))), \(extra.count) too many (\(ids(extra)))
      """
  }

  private func ids(_ rows: some Collection<Int>) -> String {
    let some = Set(rows.prefix(5))
    return notes.filter { some.contains($0.row) }.map(\.note.id.description)
      .joined(separator: " ")
  }

  private static func timed<Output>(
    _ body: () throws -> Output
  ) rethrows -> (Output, Duration) {
    let start = ContinuousClock.now
    let output = try body()
    return (output, ContinuousClock.now - start)
  }
}

/// A note in memory with its row in the archive; a class, as to hand on a note itself copies it.
private final class HeldNote: Query.Record, Sendable {
  let row: Int
  let note: Note

  init(row: Int, note: Note) { (self.row, self.note) = (row, note) }

  func value(for field: String) -> Query.RecordValue { note.value(for: field) }
}

import QueryLanguage
import SQLite

/// How the notes of a query are found.
///
/// Whichever way is taken, the compiled predicate has the last word on each note: a plan decides
/// only which notes it is asked about, and in which order.
struct NotePlan: Sendable {
  /// Where the notes that may be asked for come from.
  enum Source: Equatable, Sendable {
    /// The table of notes, by the index that suits SQLite.
    case notes
    /// The search index, in the order of its keys.
    case index
    /// The favorites by date, and of each the folded text.
    case favorites
    /// All notes that the search index gives, and all that are on another side of an OR.
    case either
  }

  let query: NoteQuery
  /// The predicate in SQL, true of the row `n`.
  let condition: Query.SQL
  /// The same where the document `d` has the required text, which decides some of it.
  private let restCondition: Query.SQL
  private let order: Query.SQL
  /// What the documents of the notes have to have, or of those that are on none of `otherSides`.
  private let terms: SearchTerms
  private let facts: Facts
  /// Where else notes may be: the sides of an OR that say nothing of text.
  private let otherSides: [Query.SQL]
  private let isDecided: Bool
  /// The words to ask for of texts that have many.
  private var rarestWords: [String: [String]] = [:]

  /// - Parameters:
  ///   - query: Which notes are asked for.
  ///   - more: What else a note's document has to have.
  /// - Throws: `ArchiveError.query` where the predicate or an order does not fit notes.
  init(_ query: NoteQuery, having more: SearchTerms = .anything) throws(ArchiveError) {
    self.query = query
    condition = try query.condition()
    restCondition = try Self.restCondition(query) ?? condition
    order = try query.order()
    var terms = SearchTerms(query.predicate.textCondition, in: SearchIndex.paths).and(more)
    var otherSides: [Query.SQL] = []
    if terms == .anything, let either = Self.sides(of: query.predicate) {
      (terms, otherSides) = either
    }
    (self.terms, self.otherSides) =
      terms.texts.count <= Self.termLimit ? (terms, otherSides) : (.anything, [])
    facts = Facts(query.predicate)
    isDecided = Self.isDecided(query.predicate)
  }

  /// A search for more texts than that goes through the notes.
  private static let termLimit = 64

  // MARK: Choosing

  /// Notes up to which it is quicker to ask the predicate about each than to search for more telling
  /// signs: some 5 ms.
  private static let fewNotes = 1000
  /// Hits of the index up to which it is quicker to sort them than to go through all notes in order.
  private static let fewHits = 5000

  /// The sources that give the right notes while the index is complete.
  var sources: [Source] {
    guard terms != .anything, query.place == .archive else { return [.notes] }
    guard otherSides.isEmpty else { return [.notes, .either] }
    return facts.isFavorite && dateOrder != nil ? [.notes, .index, .favorites] : [.notes, .index]
  }

  /// The cheapest source for a page in the query's order or, without one, for a count.
  ///
  /// It readies the plan for the index if that is to be asked.
  mutating func source(
    isCount: Bool, _ connection: inout Connection
  ) throws(DatabaseError) -> Source {
    guard sources.count > 1, try SearchIndex.isComplete(&connection) else { return .notes }
    try chooseWords(&connection)
    if sources.contains(.either) {
      if isCount || query.limit == nil { return .either }
      return try candidateCount(from: .either, upTo: Self.fewHits, &connection) <= Self.fewHits
        ? .either : .notes
    }
    let isByDate = !isCount && dateOrder != nil
    if isByDate, !hasSide { return .index }
    let limit = isByDate ? Self.fewNotes : Self.fewHits
    if let side = try sideCount(upTo: limit, &connection), side <= limit {
      return try hitCount(upTo: side, &connection) > side ? .notes : .index
    }
    if isByDate, try favoritesAreCloser(&connection) { return .favorites }
    if isByDate || isCount || query.limit == nil || !isIndexedOrder { return .index }
    return try hitCount(upTo: limit, &connection) > limit ? .notes : .index
  }

  /// The ids of the notes that may be asked for, where the search index knows them to be few; for
  /// queries about what belongs to notes.
  mutating func fewCandidates(
    _ connection: inout Connection
  ) throws(DatabaseError) -> Query.SQL? {
    guard sources.contains(.index), try SearchIndex.isComplete(&connection) else { return nil }
    try chooseWords(&connection)
    guard try hitCount(upTo: Self.fewHits, &connection) <= Self.fewHits else { return nil }
    return hitIDs
  }

  /// The ids of the notes that the index gives.
  private var hitIDs: Query.SQL {
    """
    SELECT s.rowid & \(.integer(Int64(SearchIndex.rowMask))) FROM search_index s
    WHERE \(hits(matching: match))
    """
  }

  /// The ids of the notes that are on one side of an OR, some more than once.
  private var either: Query.SQL { .joined([hitIDs] + otherSides, separator: " UNION ALL ") }

  /// Whether it is quicker to look for the text in one favorite after the other than for favorites
  /// among the notes that have it: a document takes as long to read as five hits.
  private func favoritesAreCloser(_ connection: inout Connection) throws(DatabaseError) -> Bool {
    guard sources.contains(.favorites), let dateOrder else { return false }
    // A text is no more frequent than its rarest word, of which that is told sooner.
    let words = terms.neededWords(words(of:))
    for match in (words.count > 1 ? words.map { "\"\($0)\"" } : []) + [match] {
      guard try favoritesAreCloser(than: match, dateOrder, &connection) else { return false }
    }
    return true
  }

  private func favoritesAreCloser(
    than match: String, _ dateOrder: (ascending: Bool, sql: Query.SQL),
    _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    let (hitCount, favoriteCount) = (1000, 200)
    let last: Query.SQL = """
      SELECT rowid FROM search_index s WHERE \(hits(matching: match))
      ORDER BY rowid\(dateOrder.sql) LIMIT 1 OFFSET \(.integer(Int64(hitCount - 1)))
      """
    guard let key = try connection.rows(last, { $0.int(0) }).first else { return false }
    let isCloser: Query.SQL = dateOrder.ascending ? "date<" : "date>="
    let date = Query.Value.integer(Int64(SearchIndex.second(of: key) * 1000))
    let favorites: Query.SQL = """
      SELECT 1 FROM note INDEXED BY note_favorite
      WHERE favorite=1 AND deleted_at IS NULL AND \(isCloser)\(date)
      """
    return try connection.count(favorites, upTo: favoriteCount) < favoriteCount
  }

  /// Whether another index than that of the text narrows the notes down.
  private var hasSide: Bool { query.place == .archive && (facts.isFavorite || facts.label != nil) }

  private func sideCount(
    upTo limit: Int, _ connection: inout Connection
  ) throws(DatabaseError) -> Int? {
    guard hasSide, let side = facts.side else { return nil }
    return try connection.count(side, upTo: limit)
  }

  /// The sides of the first OR that has some with a text and some which another index gives, and no
  /// others.
  private static func sides(
    of predicate: Query.Predicate
  ) -> (texts: SearchTerms, others: [Query.SQL])? {
    let conjuncts = if case .and(let parts) = predicate { parts } else { [predicate] }
    for case .or(let parts) in conjuncts {
      let terms = parts.map { SearchTerms($0.textCondition, in: SearchIndex.paths) }
      let others = zip(parts, terms).filter { $1 == .anything }.map { Facts($0.0).side }
      let texts = terms.filter { $0 != .anything }
      guard !texts.isEmpty, !others.contains(nil) else { continue }
      return (.any(texts), others.compactMap(\.self))
    }
    return nil
  }

  /// How many notes the index holds for candidates; of more than `limit`, one more.
  func hitCount(
    upTo limit: Int = .max - 1, _ connection: inout Connection
  ) throws(DatabaseError) -> Int {
    try connection.count(
      "SELECT 1 FROM search_index s WHERE \(hits(matching: match))", upTo: limit)
  }

  /// How many notes the predicate has to be asked about.
  func candidateCount(
    from source: Source, upTo limit: Int = .max - 1, _ connection: inout Connection
  ) throws(DatabaseError) -> Int {
    if source == .index { return try hitCount(&connection) }
    if source == .either { return try connection.count(either, upTo: limit) }
    if let side = try sideCount(upTo: .max - 1, &connection) { return side }
    let place = query.place == .archive ? "IS NULL" : "IS NOT NULL"
    return try connection.first("SELECT count(*) FROM note WHERE deleted_at \(place)") {
      $0.int(0)
    } ?? 0
  }

  /// Whether the newest, or the oldest, come first; nil in any other order.
  private var dateOrder: (ascending: Bool, sql: Query.SQL)? {
    guard query.sortDescriptors.count == 1, query.sortDescriptors[0].path == "date" else {
      return nil
    }
    return query.sortDescriptors[0].ascending ? (true, "") : (false, " DESC")
  }

  private var isIndexedOrder: Bool {
    query.sortDescriptors.count == 1
      && ["createdAt", "modifiedAt"].contains(query.sortDescriptors[0].path)
  }

  // MARK: Finding

  /// The row ids of the notes, in order.
  func rows(_ connection: inout Connection) throws(DatabaseError) -> [Int] {
    var plan = self
    let source = try plan.source(isCount: false, &connection)
    return try plan.rows(from: source, &connection)
  }

  /// The same, from a source of one's own choice.
  func rows(
    from source: Source, _ connection: inout Connection
  ) throws(DatabaseError) -> [Int] {
    let sql = sql(from: source)
    guard source == .index, let dateOrder else { return try connection.rows(sql) { $0.int(0) } }
    return try rowsByDate(sql, ascending: dateOrder.ascending, &connection)
  }

  /// The SQL that gives row ids in order; in the order of dates from the index, a `Hit` each.
  func sql(from source: Source) -> Query.SQL {
    let limit: Query.SQL = query.limit.map { " LIMIT \(.integer(Int64($0)))" } ?? ""
    switch source {
    case .notes: return "SELECT n.id \(notes) ORDER BY \(order)\(limit)"
    case .either: return "SELECT n.id \(eitherNotes) ORDER BY \(order)\(limit)"
    case .favorites:
      return """
        SELECT n.id FROM note f INDEXED BY note_favorite
        CROSS JOIN search_document d ON d.key=\(verbatim: SearchIndex.key(ofRow: "f"))
        CROSS JOIN note n ON n.id=f.id
        WHERE f.favorite=1 AND f.deleted_at IS NULL
          AND (d.text IS NULL OR \(terms.condition)) AND \(restCondition)
        ORDER BY f.date\(dateOrder?.sql ?? ""), f.uuid\(dateOrder?.sql ?? "")\(limit)
        """
    case .index:
      if let dateOrder {
        return "SELECT s.rowid, n.date, n.uuid \(candidates) ORDER BY s.rowid\(dateOrder.sql)"
      }
      return "SELECT n.id \(candidates) ORDER BY \(order)\(limit)"
    }
  }

  /// How many notes there are.
  func count(_ connection: inout Connection) throws(DatabaseError) -> Int {
    var plan = self
    let source = try plan.source(isCount: true, &connection)
    return try connection.rows(plan.countSQL(from: source)) { $0.int(0) }.first ?? 0
  }

  private func countSQL(from source: Source) -> Query.SQL {
    switch source {
    case .notes, .favorites: return "SELECT count(*) \(notes)"
    case .either: return "SELECT count(*) \(eitherNotes)"
    case .index where isDecided:
      // Of plain notes the index knows the answer: 20 ms for 600,000 of them, not 3 s.
      let unclear = "\"\(SearchIndex.unclearWord)\""
      let text: Query.SQL =
        terms.areWords
        ? "" : "CROSS JOIN search_document d ON d.key=+s.rowid AND (\(terms.condition))"
      return """
        SELECT (SELECT count(*) FROM search_index s \(text)
          WHERE search_index MATCH \(.string("(\(match)) NOT \(unclear)")))
        + (SELECT count(*) \(candidates(matching: "(\(match)) AND \(unclear)")))
        """
    case .index: return "SELECT count(*) \(candidates)"
    }
  }

  /// Whether the predicate holds for exactly the plain notes that have the required text.
  private static func isDecided(_ predicate: Query.Predicate) -> Bool {
    switch predicate {
    case .and(let parts) where !parts.isEmpty: return parts.allSatisfy(isDecided)
    case .or(let parts) where !parts.isEmpty:
      if case .comparison(let first) = parts[0], case .value(.string(let word)) = first.right,
        predicate == Catalog.mentions(word)
      {
        return SearchTerms(predicate.textCondition, in: SearchIndex.paths) != .anything
      }
      return parts.allSatisfy(isDecided)
    case .and, .or, .constant, .comparison, .not: return false
    }
  }

  /// The condition on the row `n` of a note whose document `d` has the required text.
  ///
  /// What that text decides is asked only of notes that are not plain. Nil where it decides nothing.
  private static func restCondition(_ query: NoteQuery) throws(ArchiveError) -> Query.SQL? {
    let parts = if case .and(let parts) = query.predicate { parts } else { [query.predicate] }
    var (decided, rest) = (query, query)
    decided.predicate = .and(parts.filter(isDecided))
    rest.predicate = .and(parts.filter { !isDecided($0) })
    if decided.predicate == .and([]) { return nil }
    return """
      \(try rest.condition()) AND (instr(d.text, \(.string(SearchIndex.unclearWord))) = 0
        OR (\(try decided.condition())))
      """
  }

  private var notes: Query.SQL {
    let favorite: Query.SQL =
      hasSide && facts.isFavorite ? "INDEXED BY note_favorite WHERE n.favorite=1 AND" : "WHERE"
    return "FROM note n \(favorite) \(condition)"
  }

  private var eitherNotes: Query.SQL { "FROM note n WHERE n.id IN (\(either)) AND \(condition)" }

  /// From what is read quickest to what is read slowest: the index, the mark of a favorite, the
  /// folded text, the note.
  private var candidates: Query.SQL { candidates(matching: match) }

  private func candidates(matching words: String) -> Query.SQL {
    let id = "(s.rowid & \(SearchIndex.rowMask))"
    let favorite =
      hasSide && facts.isFavorite
      ? """
      CROSS JOIN note f INDEXED BY note_favorite_id
        ON f.id=\(id) AND f.favorite=1 AND f.deleted_at IS NULL
      """ : ""
    // Without the `+`, a bound on the rowid would be taken for one on the document's key, and the
    // documents gone through from there for each hit.
    return """
      FROM search_index s \(verbatim: favorite)
      CROSS JOIN search_document d ON d.key=+s.rowid
      CROSS JOIN note n ON n.id=\(verbatim: id)
      WHERE \(hits(matching: words)) AND (d.text IS NULL OR \(terms.condition))
        AND \(restCondition)
      """
  }

  /// What FTS5 is asked for, in its language.
  var match: String { terms.match(words(of:)) }

  /// The words of a text that are asked for, the rarest first where there were more.
  private func words(of text: String) -> [String] {
    rarestWords[text] ?? Array(Query.Grams.needed(for: text).prefix(Self.wordLimit))
  }

  /// The words of a text that are asked for: to read the list of another takes longer than to look
  /// through what these leave.
  ///
  /// Of 12 terms of 5 to 8 characters among a million notes, the slowest took 25 ms with all words,
  /// 10 with three, 5 with four.
  private static let wordLimit = 4

  /// Finds out which words of longer texts are the rarest.
  ///
  /// They are those whose hundredth newest note is the oldest; each takes some 40 µs to ask.
  private mutating func chooseWords(_ connection: inout Connection) throws(DatabaseError) {
    for text in terms.texts where rarestWords[text] == nil {
      let words = Query.Grams.needed(for: text)
      guard words.count > Self.wordLimit else { continue }
      let sample = words.count <= 16 ? words : (0..<16).map { words[$0 * (words.count - 1) / 15] }
      var keys: [(word: String, key: Int)] = []
      for word in sample {
        let key = try connection.first(
          """
          SELECT rowid FROM search_index WHERE search_index MATCH ?
          ORDER BY rowid DESC LIMIT 1 OFFSET 99
          """, [.text("\"\(word)\"")]
        ) { $0.int(0) }
        keys.append((word, key ?? 0))
      }
      keys.sort { $0.key < $1.key }
      rarestWords[text] = keys.prefix(Self.wordLimit).map(\.word)
    }
  }

  /// What FTS5 is asked for: a condition on the row `s` of the index.
  private func hits(matching words: String) -> Query.SQL {
    let match = "(\(words)) OR \"\(SearchIndex.unknownWord)\""
    let hits: Query.SQL = "search_index MATCH \(.string(match))"
    guard let keys = facts.keys else { return hits }
    return """
      \(hits) AND s.rowid BETWEEN \(.integer(Int64(keys.first))) AND \(.integer(Int64(keys.last)))
      """
  }

  // MARK: The order of dates

  /// A note as the index gives it.
  private struct Hit {
    var key: Int
    var date: Int
    var id: (UInt64, UInt64)

    init(_ row: borrowing Row) {
      (key, date) = (row.int(0), row.int(1))
      id = row.withBlob(2) { bytes in
        (
          UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
    }

    var second: Int { SearchIndex.second(of: key) }

    static func < (left: Hit, right: Hit) -> Bool {
      (left.date, left.id.0, left.id.1) < (right.date, right.id.0, right.id.1)
    }
  }

  /// Keys order notes by whole seconds: those of one second are put in order here, and reading
  /// goes on to the end of the second that the limit falls in.
  private func rowsByDate(
    _ sql: Query.SQL, ascending: Bool, _ connection: inout Connection
  ) throws(DatabaseError) -> [Int] {
    let limit = query.limit ?? .max
    if limit == 0 { return [] }
    var rows: [Int] = []
    var second: [Hit] = []
    func takeSecond() {
      if second.count > 1 { second.sort { ascending ? $0 < $1 : $1 < $0 } }
      rows += second.lazy.map { $0.key & SearchIndex.rowMask }
      second.removeAll(keepingCapacity: true)
    }
    try connection.run(sql.text, sql.bindings.map { Value($0) }) { row in
      let hit = Hit(row)
      if let last = second.last, last.second != hit.second {
        takeSecond()
        if rows.count >= limit { return false }
      }
      second.append(hit)
      return true
    }
    takeSecond()
    return Array(rows.prefix(limit))
  }
}

extension Connection {
  /// How many rows a statement gives; of more than `limit`, one more.
  fileprivate mutating func count(
    _ sql: Query.SQL, upTo limit: Int
  ) throws(DatabaseError) -> Int {
    let limit = Query.Value.integer(Int64(limit + 1))
    return try rows("SELECT count(*) FROM (\(sql) LIMIT \(limit))") { $0.int(0) }.first ?? 0
  }
}

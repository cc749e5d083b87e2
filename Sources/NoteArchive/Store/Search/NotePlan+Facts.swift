import QueryLanguage

extension NotePlan {
  /// What a predicate says outright: each is necessary for it to hold.
  struct Facts: Sendable {
    var isFavorite = false
    var label: String?
    /// The ids of the notes that another index than that of the text gives; nil where none helps.
    var side: Query.SQL? {
      if isFavorite {
        return """
          SELECT id FROM note INDEXED BY note_favorite_id WHERE favorite=1 AND deleted_at IS NULL
          """
      }
      return label.map {
        "SELECT id FROM note INDEXED BY note_label WHERE label=\(.string($0)) AND deleted_at IS NULL"
      }
    }

    /// The keys of the index within which the notes are.
    var keys: (first: Int, last: Int)?

    init(_ predicate: Query.Predicate) {
      var milliseconds = SearchIndex.milliseconds
      for comparison in Self.conjuncts(predicate) {
        guard comparison.quantifier == nil, comparison.options.isEmpty,
          case .path(let path) = comparison.left, case .value(let value) = comparison.right
        else { continue }
        switch (path, comparison.operator, value) {
        case ("favorite", .equal, .bool(true)), ("favorite", .equal, .integer(1)): isFavorite = true
        case ("label", .equal, .string(let text)): label = text
        case ("date", let `operator`, let value):
          Self.narrow(&milliseconds, `operator`, value, slack: 0)
        case ("localDate", let `operator`, let value):
          Self.narrow(&milliseconds, `operator`, value, slack: 86_400_000)
        default: break
        }
      }
      if milliseconds != SearchIndex.milliseconds {
        keys = (
          SearchIndex.key(milliseconds.lowerBound, row: 0),
          SearchIndex.key(milliseconds.upperBound, row: SearchIndex.rowMask)
        )
      }
    }

    private static func conjuncts(_ predicate: Query.Predicate) -> [Query.Comparison] {
      switch predicate {
      case .and(let parts): parts.flatMap(conjuncts)
      case .comparison(let comparison): [comparison]
      case .constant, .or, .not: []
      }
    }

    /// Bounds are widened by `slack`, and one that leaves nothing is left out: it will find nothing.
    private static func narrow(
      _ range: inout ClosedRange<Int>, _ operator: Query.Operator, _ value: Query.Value, slack: Int
    ) {
      var (lower, upper): (Query.Value?, Query.Value?)
      switch (`operator`, value) {
      case (.less, _), (.lessOrEqual, _): upper = value
      case (.greater, _), (.greaterOrEqual, _): lower = value
      case (.equal, _): (lower, upper) = (value, value)
      case (.between, .list(let bounds)) where bounds.count == 2:
        (lower, upper) = (bounds[0], bounds[1])
      default: break
      }
      let all = SearchIndex.milliseconds
      func bound(_ value: Query.Value?, _ slack: Int) -> Int? {
        guard case .date(let instant) = value else { return nil }
        let milliseconds = Int(instant.millisecondsSince1970) + slack
        return min(max(milliseconds, all.lowerBound), all.upperBound)
      }
      let first = max(range.lowerBound, bound(lower, -slack) ?? range.lowerBound)
      let last = min(range.upperBound, bound(upper, slack) ?? range.upperBound)
      if first <= last { range = first...last }
    }
  }
}

extension Query {
  /// What holds of the text of every record that a predicate selects, as far as an index of folded
  /// text can tell.
  ///
  /// It narrows the candidates, which the predicate itself then verifies.
  package indirect enum TextCondition: Sendable, Hashable {
    /// Some text under the path has this in its folded form; never the empty text.
    case has(String, in: Path)
    /// All of these hold.
    case all([TextCondition])
    /// At least one of these holds; of none, nothing is selected.
    case any([TextCondition])
    /// The index cannot tell.
    case unknown
  }
}

extension Query.Predicate {
  /// What holds of the text of every record that the predicate selects.
  package var textCondition: Query.TextCondition { textCondition(negated: false) }

  private func textCondition(negated: Bool) -> Query.TextCondition {
    switch self {
    case .constant(let value): value == negated ? .any([]) : .unknown
    case .not(let part): part.textCondition(negated: !negated)
    case .and(let parts):
      negated
        ? .anyKnown(parts.map { $0.textCondition(negated: true) })
        : .allKnown(parts.map { $0.textCondition(negated: false) })
    case .or(let parts):
      negated
        ? .allKnown(parts.map { $0.textCondition(negated: true) })
        : .anyKnown(parts.map { $0.textCondition(negated: false) })
    case .comparison(let comparison): negated ? .unknown : comparison.textCondition
    }
  }
}

extension Query.TextCondition {
  fileprivate static func allKnown(_ parts: [Self]) -> Self {
    let known = parts.filter { $0 != .unknown }
    return known.isEmpty ? .unknown : known.count == 1 ? known[0] : .all(known)
  }

  fileprivate static func anyKnown(_ parts: [Self]) -> Self {
    parts.contains(.unknown) ? .unknown : parts.count == 1 ? parts[0] : .any(parts)
  }

  /// The folded form of the part lies in that of the text; of some parts nothing can be said.
  fileprivate static func has(_ part: String, under expression: Query.Expression) -> Self {
    guard case .path(let path) = expression, path.isFieldsOnly,
      let folded = Query.Folding.indexed(part: part)
    else { return .unknown }
    return .has(folded, in: path)
  }
}

extension Query.Path {
  fileprivate var isFieldsOnly: Bool {
    root == .row && steps.allSatisfy { if case .field = $0 { true } else { false } }
  }
}

extension Query.Folding {
  /// The folded form that every text with `part` in it has in its own; nil where there is none.
  ///
  /// A part that begins with a mark may be found inside a character, which the index composes.
  package static func indexed(part: String) -> String? {
    let folded = index(part)
    return folded.isEmpty || FoldedText(part, options: []).beginsInsideCharacter ? nil : folded
  }
}

extension Query.Comparison {
  fileprivate var textCondition: Query.TextCondition {
    // Of no elements, ALL is true whatever the text.
    if quantifier == .all { return .unknown }
    switch (`operator`, left, right) {
    case (.contains, _, .value(.string(let part))), (.beginsWith, _, .value(.string(let part))),
      (.endsWith, _, .value(.string(let part))), (.equal, _, .value(.string(let part))):
      return .has(part, under: left)
    case (.equal, .value(.string(let part)), _), (.in, .value(.string(let part)), _):
      return .has(part, under: right)
    case (.in, _, .value(.list(let values))), (.contains, .value(.list(let values)), _):
      let element = `operator` == .in ? left : right
      return .anyKnown(
        values.filter { $0 != .null }.map { value in
          if case .string(let part) = value { .has(part, under: element) } else { .unknown }
        })
    case (.like, _, .value(.string(let pattern))):
      let parts = LikePart.literals(of: pattern)
      return .allKnown(parts.map { .has($0, under: left) })
    default: return .unknown
    }
  }
}

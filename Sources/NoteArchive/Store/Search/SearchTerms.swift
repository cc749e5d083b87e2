import QueryLanguage

/// What the document of each note that a predicate selects has to contain.
indirect enum SearchTerms: Sendable, Hashable {
  /// Nothing in particular.
  case anything
  /// A text in the form of `Query.SearchDocument`.
  case text(String)
  case all([SearchTerms])
  case any([SearchTerms])

  /// What is known of the fields `paths`, each thing said once, whichever field it is in.
  init(_ condition: Query.TextCondition, in paths: Set<Query.Path>) {
    switch condition {
    case .unknown: self = .anything
    case .has(let folded, let path):
      self = paths.contains(path) ? .text(Query.SearchDocument.part(folded)) : .anything
    case .all(let parts):
      let parts = Self.once(parts.map { Self($0, in: paths) }).filter { $0 != .anything }
      self = parts.isEmpty ? .anything : parts.count == 1 ? parts[0] : .all(parts)
    case .any(let parts):
      let parts = Self.once(parts.map { Self($0, in: paths) })
      let isKnown = !parts.isEmpty && !parts.contains(.anything)
      self = !isKnown ? .anything : parts.count == 1 ? parts[0] : .any(parts)
    }
  }

  /// What has to hold where both do.
  func and(_ other: SearchTerms) -> SearchTerms {
    if self == .anything || self == other { return other }
    return other == .anything ? self : .all([self, other])
  }

  private static func once(_ parts: [SearchTerms]) -> [SearchTerms] {
    var seen: Set<SearchTerms> = []
    return parts.filter { seen.insert($0).inserted }
  }

  /// Whether each text is a word of the index, so that the index alone tells which notes have it.
  var areWords: Bool {
    switch self {
    case .anything: false
    case .text(let text): Query.Grams.needed(for: text).count == 1
    case .all(let parts), .any(let parts): parts.allSatisfy(\.areWords)
    }
  }

  /// The texts that it names.
  var texts: [String] {
    switch self {
    case .anything: []
    case .text(let text): [text]
    case .all(let parts), .any(let parts): parts.flatMap(\.texts)
    }
  }

  /// The words that each document has to have, of those that `words` gives for a text.
  func neededWords(_ words: (String) -> [String]) -> [String] {
    switch self {
    case .anything, .any: []
    case .text(let text): words(text)
    case .all(let parts): parts.flatMap { $0.neededWords(words) }
    }
  }

  /// What a document has to have, in the language of FTS5; `words` says which words of a text are
  /// to be asked for.
  func match(_ words: (String) -> [String]) -> String {
    switch self {
    case .anything: preconditionFailure("an index can't be asked for anything")
    case .text(let text): words(text).map { "\"\($0)\"" }.joined(separator: " AND ")
    case .all(let parts): parts.map { "(\($0.match(words)))" }.joined(separator: " AND ")
    case .any(let parts): parts.map { "(\($0.match(words)))" }.joined(separator: " OR ")
    }
  }

  /// The condition on the row `d` of a document.
  var condition: Query.SQL {
    switch self {
    case .anything: "1"
    case .text(let text): "instr(d.text, \(.string(text))) > 0"
    case .all(let parts): .joined(parts.map { "(\($0.condition))" }, separator: " AND ")
    case .any(let parts): .joined(parts.map { "(\($0.condition))" }, separator: " OR ")
    }
  }
}

public import FoundationEssentials

extension Query {
  /// What is wrong with a predicate or a sort descriptor.
  public enum Problem: LocalizedError, Sendable, Hashable {
    /// The format is not one of the language; a sentence says what was expected.
    case syntax(String)
    /// Nothing has that name, which should be of a `kind` such as “field of note”; a sentence says
    /// which names there are.
    case unknownName(String, kind: String, suggestion: String)
    /// Operands that do not go together; a sentence says how.
    case type(String)
    /// A placeholder or a variable without its value, or the other way round.
    case argument(String)
    /// More nested than `Predicate.depthLimit`.
    case tooDeep
    /// The right side of `MATCHES` is not a regular expression.
    case badRegularExpression(String)
    /// A regular expression would take too long, or too much memory, over some text.
    case slowRegularExpression
    /// Sixty-four bits do not hold the sum of a field.
    case sumTooLarge
    /// A node of a `#Predicate`, or a key path, that has no counterpart.
    case untranslatable(String)

    /// One sentence about what is wrong.
    public var errorDescription: String? {
      switch self {
      case .syntax(let sentence), .type(let sentence), .argument(let sentence): sentence
      case .unknownName(let name, let kind, _): "“\(name)” is not a \(kind)."
      case .tooDeep: "The predicate is nested more than \(Predicate.depthLimit) levels deep."
      case .badRegularExpression(let pattern): "“\(pattern)” is not a regular expression."
      case .slowRegularExpression: "The regular expression takes too long over some text."
      case .sumTooLarge: "A sum is too large for 64 bits."
      case .untranslatable(let node): "A predicate cannot be made of \(node)."
      }
    }

    /// One sentence about what to do, where there is something to say.
    public var recoverySuggestion: String? {
      switch self {
      case .unknownName(_, _, let suggestion): suggestion
      case .slowRegularExpression: "Nested repetitions such as (a+)+ are the usual cause."
      default: nil
      }
    }
  }

  /// A format that is refused, and where.
  public struct FormatError: LocalizedError, Sendable, Hashable {
    /// What is wrong.
    public let problem: Problem
    /// Where in the format, in characters from 1.
    public let column: Int

    /// What is wrong and where.
    public var errorDescription: String? {
      problem.errorDescription.map { "\($0.dropLast()) (column \(column))." }
    }

    /// What to do, where there is something to say.
    public var recoverySuggestion: String? { problem.recoverySuggestion }
  }
}

extension Query.Problem: CustomStringConvertible {
  /// The sentence about what is wrong: a database has no other way to pass the error on.
  public var description: String { errorDescription ?? "" }

  /// A name that is not among `candidates`, with the one it was probably meant to be; else that of
  /// `paths` whose last key it was.
  static func unknown(
    _ name: String, kind: String, among candidates: some Sequence<String>, or paths: [String] = []
  ) -> Self {
    func nearest(_ spellings: [(offered: String, compared: Substring)]) -> String? {
      spellings.map { ($0.offered, editDistance(name.lowercased(), $0.compared.lowercased())) }
        .filter { $0.1 <= max(1, name.count / 3) }.min { $0.1 < $1.1 }?.0
    }
    let suggestion =
      if let nearest = nearest(candidates.map { ($0, $0[...]) })
        ?? nearest(paths.map { ($0, $0.split(separator: ".").last ?? "") })
      {
        "Did you mean “\(nearest)”?"
      } else {
        "There are these: \(candidates.joined(separator: ", "))."
      }
    return .unknownName(name, kind: kind, suggestion: suggestion)
  }

  /// How many characters to insert, delete, replace or exchange with their neighbour.
  ///
  /// Optimal string alignment, after Damerau and Levenshtein.
  private static func editDistance(_ from: String, _ to: String) -> Int {
    let (from, to) = (Array(from.prefix(64)), Array(to))
    var rows = [Array(0...to.count)]
    for row in from.indices {
      var next = [row + 1]
      for column in to.indices {
        let replaced = rows[row][column] + (from[row] == to[column] ? 0 : 1)
        var least = min(replaced, rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, from[row] == to[column - 1], from[row - 1] == to[column] {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[from.count][to.count]
  }
}

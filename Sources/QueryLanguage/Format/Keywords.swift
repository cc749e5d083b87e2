// The words of the format language: the parser reads them and the printer writes the first spelling.

extension Query.Operator {
  /// The operator in a format; of the orders, in SQL too.
  var keyword: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .between: "BETWEEN"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .like: "LIKE"
    case .matches: "MATCHES"
    }
  }

  /// The operator that a token spells.
  init?(_ token: Query.Token) {
    let spelling: String
    switch token {
    case .word(let word): spelling = word.uppercased()
    case .symbol(let symbol): spelling = Self.spellings[symbol] ?? symbol
    default: return nil
    }
    guard let match = Self.allCases.first(where: { $0.keyword == spelling }) else { return nil }
    self = match
  }

  private static let spellings = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]
}

extension Query.TextOptions {
  /// The options as a format has them between brackets.
  var letters: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }

  /// The options of these letters; nil where one is no option.
  init?(letters: String) {
    self = []
    for letter in letters {
      switch letter {
      case "c", "C": insert(.caseInsensitive)
      case "d", "D": insert(.diacriticInsensitive)
      default: return nil
      }
    }
  }
}

extension Query.Arithmetic {
  /// The name of the function that does it.
  var functionName: String {
    switch self {
    case .add: "add:to:"
    case .subtract: "from:subtract:"
    case .multiply: "multiply:by:"
    case .divide: "divide:by:"
    case .modulus: "modulus:by:"
    case .power: "raise:toPower:"
    }
  }

  /// The operator between the operands, where there is one.
  var symbol: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .modulus: nil
    case .power: "**"
    }
  }
}

extension Query.Function {
  /// As a message calls it.
  var displayName: String {
    switch self {
    case .castToDate: "CAST to NSDate"
    case .castToNumber: "CAST to NSNumber"
    default: rawValue
    }
  }
}

extension Query.Aggregate {
  /// The name of the function that makes it of a to-many path.
  var functionName: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .average: "average"
    case .minimum: "min"
    case .maximum: "max"
    }
  }
}

extension Query.Value {
  /// What a word means as a literal.
  init?(literal word: String) {
    switch word.uppercased() {
    case "TRUE", "YES": self = .bool(true)
    case "FALSE", "NO": self = .bool(false)
    case "NULL", "NIL": self = .null
    default: return nil
    }
  }
}

extension String {
  /// Whether the word is one of the language, so that a key of that name needs a `#` before it.
  var isKeyword: Bool {
    Query.Operator(.word(self)) != nil || Query.Value(literal: self) != nil
      || [
        "AND", "OR", "NOT", "ANY", "ALL", "SOME", "NONE", "SELF", "TRUEPREDICATE", "FALSEPREDICATE",
      ].contains(uppercased())
  }
}

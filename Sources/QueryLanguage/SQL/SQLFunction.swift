extension Query {
  /// A function that the SQL of predicates calls.
  ///
  /// Every connection that runs such SQL registers all of them. They are deterministic and have no
  /// side effects.
  package struct SQLFunction: Sendable {
    /// The name in SQL.
    package let name: String
    /// How many arguments it takes.
    package let argumentCount: Int
    /// What it does.
    package let body: Body

    /// What a function does, by the shape of its arguments.
    package enum Body: Sendable {
      /// `f(text, pattern, options)` is 1 or 0, and NULL where text or pattern is.
      ///
      /// The matcher of a pattern is worth keeping for the statement (SQLite's auxiliary data of
      /// argument 1). `options` is the sum of `TextOptions`. An error that is thrown, in making the
      /// matcher or by its `matches`, is the statement's.
      case match(@Sendable (_ pattern: String, _ options: Int) throws(Problem) -> TextMatcher)
      /// `f(value, …)` is another value; NULL is `.null`, and the arguments are as SQL has them.
      case value(@Sendable ([Value]) -> Value)
    }

    /// All functions.
    package static let all: [SQLFunction] =
      [Operator.contains, .beginsWith, .endsWith, .like, .matches, .equal].map(match) + [
        fold, power,
      ]
      + Function.allCases.filter { $0.sqlName != nil }.map(apply)

    private static func match(_ operator: Operator) -> SQLFunction {
      .init(
        name: `operator`.sqlName, argumentCount: 3,
        body: .match {
          (pattern, options) throws(Problem) in
          try TextMatcher(`operator`, pattern, options: TextOptions(rawValue: options))
        })
    }

    /// `query_fold(text, options)`: equal for texts that are equal under the options.
    private static let fold = SQLFunction(
      name: "query_fold", argumentCount: 2,
      body: .value { arguments in
        guard case .string(let text) = arguments[0], case .integer(let options) = arguments[1]
        else { return .null }
        return .string(Folding.compared(text, options: TextOptions(rawValue: Int(options))))
      })

    private static let power = SQLFunction(
      name: "query_power", argumentCount: 2,
      body: .value { Arithmetic.power.apply($0[0], $0[1]) })

    private static func apply(_ function: Function) -> SQLFunction {
      .init(
        name: "query_\(function.rawValue)", argumentCount: 1, body: .value { function.apply($0[0]) }
      )
    }
  }
}

extension Query.Operator {
  /// The SQL function that tests a text against a pattern.
  var sqlName: String {
    switch self {
    case .contains: "query_contains"
    case .beginsWith: "query_begins_with"
    case .endsWith: "query_ends_with"
    case .like: "query_like"
    case .matches: "query_matches"
    default: "query_equals"
    }
  }
}

extension Query.Function {
  /// The SQL function that does it; nil for what is written in SQL itself.
  var sqlName: String? {
    switch self {
    case .now, .castToNumber: nil
    default: "query_\(rawValue)"
    }
  }
}

extension Query {
  /// A yes-or-no question about a record: formats, `#Predicate` and the short filters all build it.
  ///
  /// Negation is two-valued: of `p` and `.not(p)`, exactly one holds for each record, whatever is nil.
  public indirect enum Predicate: Sendable, Hashable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// Two expressions and what should hold between them.
    case comparison(Comparison)
    /// All of these; of none, true.
    case and([Predicate])
    /// At least one of these; of none, false.
    case or([Predicate])
    /// The opposite.
    case not(Predicate)
  }

  /// Two expressions and what should hold between them.
  public struct Comparison: Sendable, Hashable {
    /// What is compared: with a quantifier, a to-many path.
    public var left: Expression
    /// What should hold.
    public var `operator`: Operator
    /// What it is compared with.
    public var right: Expression
    /// Whether some or all of the elements on the left have to satisfy it; nil for a single value.
    public var quantifier: Quantifier?
    /// How text is compared.
    public var options: TextOptions

    /// Compares `left` with `right`.
    public init(
      _ left: Expression, _ operator: Operator, _ right: Expression,
      quantifier: Quantifier? = nil, options: TextOptions = []
    ) {
      self.left = left
      self.operator = `operator`
      self.right = right
      self.quantifier = quantifier
      self.options = options
    }
  }

  /// What a comparison asks for.
  public enum Operator: Sendable, Hashable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// Within both bounds of a list of two.
    case between
    /// Among the elements of the right side, or, of two strings, a part of it.
    case `in`
    /// The same with the sides exchanged.
    case contains
    case beginsWith, endsWith
    /// The whole text, with `*` for any run and `?` for one character.
    case like
    /// The whole text, by a regular expression.
    case matches
  }

  /// Which elements of a to-many path have to satisfy a comparison.
  public enum Quantifier: Sendable, Hashable {
    /// At least one: false for no elements.
    case any
    /// Each of them: true for no elements.
    case all
  }

  /// How text is compared: without options code point by code point, as stored.
  public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The sum of the options: 1 for case, 2 for diacritics.
    public let rawValue: Int
    /// Makes a set of options from the sum of their numbers.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `[c]`: upper and lower case are the same, by full Unicode case folding.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// `[d]`: accents of Latin, Greek and Cyrillic letters do not count.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// `[cd]`: both, as a person who searches expects.
    public static let folded: TextOptions = [.caseInsensitive, .diacriticInsensitive]
  }
}

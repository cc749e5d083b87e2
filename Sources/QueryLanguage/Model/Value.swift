extension Query {
  /// A value that a field has or a predicate compares with.
  ///
  /// Equal strings here have the same code points: `é` and `e` with a combining accent differ, as
  /// they do to a predicate without options.
  public enum Value: Sendable {
    /// No value: differs from the empty string, from zero and from false.
    case null
    /// Equal to the numbers 1 and 0 in a comparison.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction or beyond 64 bits.
    case double(Double)
    /// Text, stored form and all.
    case string(String)
    /// An instant.
    case date(Instant)
    /// The values of `{…}`, or of an array given as an argument.
    case list([Value])
  }
}

extension Query.Value: Hashable {
  /// Compares strings by their code points; `Swift.String` would take canonical equivalents as one.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.date(let a), .date(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    default: false
    }
  }

  /// Hashes the same bytes that `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .date(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    }
  }
}

extension Query.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
  /// A list of values.
  public init(arrayLiteral elements: Query.Value...) { self = .list(elements) }
}

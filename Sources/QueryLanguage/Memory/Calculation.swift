internal import Glibc

// What both engines share: SQL calls these functions too, or does by itself exactly the same.

extension Query.Value {
  /// -1, 0 or 1 as this value is before, equal to or after the other; nil where a nil is involved.
  ///
  /// Numbers compare exactly, whole ones with fractions too; text compares byte by byte in UTF-8.
  func order(to other: Query.Value) -> Int? {
    switch (number, other.number) {
    case (.integer(let a)?, .integer(let b)?): Self.order(a, b)
    case (.double(let a)?, .double(let b)?): a.isNaN || b.isNaN ? nil : Self.order(a, b)
    case (.integer(let a)?, .double(let b)?): Self.order(a, b)
    case (.double(let a)?, .integer(let b)?): Self.order(b, a).map { -$0 }
    default:
      switch (self, other) {
      case (.string(let a), .string(let b)):
        a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : a.utf8.elementsEqual(b.utf8) ? 0 : 1
      case (.date(let a), .date(let b)): Self.order(a, b)
      default: nil
      }
    }
  }

  /// Whether the values are equal, two nils included.
  func isEqual(to other: Query.Value) -> Bool {
    if self == .null || other == .null { return self == other }
    return order(to: other) == 0
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

  private static func order(_ a: Int64, _ b: Double) -> Int? {
    if b.isNaN { return nil }
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b)
    return a == whole ? order(Double(whole), b) : order(a, whole)
  }

  /// The value as an integer or a double; nil for what is no number.
  var number: Query.Value? {
    switch self {
    case .integer, .double: self
    case .bool(let value): .integer(value ? 1 : 0)
    default: nil
    }
  }

  fileprivate var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: .nan
    }
  }

  /// Without its fraction, as SQL's `CAST AS INTEGER` has it.
  fileprivate var truncated: Int64 {
    switch self {
    case .integer(let value): value
    case .double(let value):
      value.isNaN ? 0 : value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
    default: 0
    }
  }

  /// A result, nil where there is none, as SQL has it.
  fileprivate init(result: Double) { self = result.isNaN ? .null : .double(result) }
}

extension Query.Arithmetic {
  /// The result; nil where an operand is nil, and of a division by zero.
  package func apply(_ left: Query.Value, _ right: Query.Value) -> Query.Value {
    guard let left = left.number, let right = right.number else { return .null }
    switch self {
    case .add:
      return Self.whole(left, right) {
        $0.addingReportingOverflow($1)
      } or: {
        $0 + $1
      }
    case .subtract:
      return Self.whole(left, right) {
        $0.subtractingReportingOverflow($1)
      } or: {
        $0 - $1
      }
    case .multiply:
      return Self.whole(left, right) {
        $0.multipliedReportingOverflow(by: $1)
      } or: {
        $0 * $1
      }
    case .divide:
      return right.double == 0 ? .null : .init(result: left.double / right.double)
    case .modulus:
      let (dividend, divisor) = (left.truncated, right.truncated)
      return divisor == 0 ? .null : .integer(divisor == -1 ? 0 : dividend % divisor)
    case .power:
      return Self.whole(left, right, Self.power) { pow($0, $1) }
    }
  }

  private static func whole(
    _ left: Query.Value, _ right: Query.Value,
    _ exact: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    or inexact: (Double, Double) -> Double
  ) -> Query.Value {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (result, overflow) = exact(a, b)
      if !overflow { return .integer(result) }
    }
    return .init(result: inexact(left.double, right.double))
  }

  private static func power(_ base: Int64, _ exponent: Int64) -> (Int64, Bool) {
    guard exponent >= 0, exponent < 64 || (-1...1).contains(base) else { return (0, true) }
    // Of 1, 0 and -1, the parity of a large exponent is all that counts.
    var result: Int64 = 1
    for _ in 0..<(exponent < 64 ? exponent : 2 + exponent % 2) {
      let (product, overflow) = result.multipliedReportingOverflow(by: base)
      if overflow { return (0, true) }
      result = product
    }
    return (result, false)
  }
}

extension Query.Function {
  /// The result for one argument; nil of nil.
  package func apply(_ argument: Query.Value) -> Query.Value {
    switch (self, argument.number ?? argument) {
    case (.lowercase, .string(let text)): .string(text.lowercased())
    case (.uppercase, .string(let text)): .string(text.uppercased())
    case (.castToNumber, .date(let instant)): .double(instant.secondsSince2001)
    case (.castToDate, .integer(let seconds)): .date(.init(secondsSince2001: Double(seconds)))
    case (.castToDate, .double(let seconds)): .date(.init(secondsSince2001: seconds))
    case (.abs, .integer(let value)):
      value == .min ? .double(0x1p63) : .integer(Swift.abs(value))
    case (.ceiling, .integer), (.floor, .integer), (.trunc, .integer): argument.number ?? .null
    case (_, .integer(let value)): .init(result: real(Double(value)))
    case (_, .double(let value)): .init(result: real(value))
    default: .null
    }
  }

  private func real(_ x: Double) -> Double {
    switch self {
    case .abs: fabs(x)
    case .ceiling: x.rounded(.up)
    case .floor: x.rounded(.down)
    case .trunc: x.rounded(.towardZero)
    case .sqrt: x.squareRoot()
    case .exp: Glibc.exp(x)
    case .ln: Glibc.log(x)
    case .log: log10(x)
    case .lowercase, .uppercase, .now, .castToDate, .castToNumber: .nan
    }
  }
}

extension Query.Aggregate {
  /// What is made of the elements, nil ones left out except of a count.
  ///
  /// - Throws: `.sumTooLarge`.
  func apply(_ elements: [Query.Value]) throws(Query.Problem) -> Query.Value {
    if self == .count { return .integer(Int64(elements.count)) }
    let values = elements.filter { $0 != .null }
    switch self {
    case .count: return .null
    case .sum:
      var sum = Query.Value.integer(0)
      for value in values {
        let next = Query.Arithmetic.add.apply(sum, value)
        if case .double = next, case .integer = sum, case .integer? = value.number {
          throw .sumTooLarge
        }
        sum = next
      }
      return sum
    case .average:
      if values.isEmpty { return .null }
      let sum = values.reduce(0) { $0 + ($1.number ?? $1).double }
      return .init(result: sum / Double(values.count))
    case .minimum: return values.min { ($0.order(to: $1) ?? 0) < 0 } ?? .null
    case .maximum: return values.max { ($0.order(to: $1) ?? 0) < 0 } ?? .null
    }
  }
}

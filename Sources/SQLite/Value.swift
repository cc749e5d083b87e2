/// A value that a statement binds or a column holds: SQLite's five storage classes.
package enum Value: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension Value {
  /// An integer of the platform's word size.
  package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  /// 1 or 0: SQLite has no booleans.
  package static func bool(_ value: Bool) -> Value { .integer(value ? 1 : 0) }
  /// The text, or null for nil.
  package static func text(orNull value: String?) -> Value { value.map { .text($0) } ?? .null }
  /// The integer, or null for nil.
  package static func integer(orNull value: Int?) -> Value { value.map { .integer($0) } ?? .null }
  /// The number, or null for nil.
  package static func real(orNull value: Double?) -> Value { value.map { .real($0) } ?? .null }
}

extension Query {
  /// A piece of SQL with a value for each `?` in it, from left to right.
  ///
  /// In an interpolation another piece brings its values along, and a value becomes a `?`.
  public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The SQL; every `?` in it is a binding.
    public private(set) var text: String
    /// A value for each `?`: nil, an integer, a double or a string.
    public private(set) var bindings: [Value]

    /// SQL without bindings.
    public init(stringLiteral text: String) {
      self.text = text
      bindings = []
    }

    /// The pieces and values put together in their order.
    public init(stringInterpolation pieces: StringInterpolation) { self = pieces.sql }

    /// Collects the pieces of an interpolation.
    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var sql: SQL = ""

      /// Begins with nothing.
      public init(literalCapacity: Int, interpolationCount: Int) {}
      /// Adds SQL as it is.
      public mutating func appendLiteral(_ literal: String) { sql.text += literal }
      /// Adds a piece and its values.
      public mutating func appendInterpolation(_ piece: SQL) {
        sql.text += piece.text
        sql.bindings += piece.bindings
      }
      /// Adds a `?` and its value.
      public mutating func appendInterpolation(_ value: Value) {
        sql.text += "?"
        sql.bindings.append(value.stored)
      }
      /// Adds SQL as it is: a name or a number of ours, never what a person said.
      public mutating func appendInterpolation(verbatim text: String) { sql.text += text }
    }

    /// Pieces with a separator between them.
    public static func joined(_ pieces: [SQL], separator: String) -> SQL {
      var sql: SQL = ""
      for (index, piece) in pieces.enumerated() {
        sql.text += index == 0 ? piece.text : separator + piece.text
        sql.bindings += piece.bindings
      }
      return sql
    }
  }
}

extension Query.Value {
  /// The value as a database keeps it: a boolean as 1 or 0, a date as milliseconds since 1970.
  public var stored: Query.Value {
    switch self {
    case .bool(let value): .integer(value ? 1 : 0)
    case .date(let instant): .integer(instant.millisecondsSince1970)
    default: self
    }
  }
}

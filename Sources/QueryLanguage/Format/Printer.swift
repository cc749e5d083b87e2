internal import FoundationEssentials

extension Query.Predicate {
  /// The predicate in the format language; reading it gives an equal predicate.
  ///
  /// Arguments and variables have become literals. An `and` or `or` of fewer than two parts has no
  /// spelling of its own and is written as what it means.
  public var format: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.format
    case .and(let parts): Self.format(parts, "AND", empty: "TRUEPREDICATE")
    case .or(let parts): Self.format(parts, "OR", empty: "FALSEPREDICATE")
    case .not(let part): "NOT \(part.formatAsOperand)"
    }
  }

  private static func format(_ parts: [Self], _ connective: String, empty: String) -> String {
    if parts.count < 2 { return parts.first?.format ?? empty }
    return parts.map(\.formatAsOperand).joined(separator: " \(connective) ")
  }

  private var formatAsOperand: String {
    switch self {
    case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1:
      "(\(format))"
    case .and(let parts), .or(let parts): parts.first?.formatAsOperand ?? format
    default: format
    }
  }
}

extension Query.Comparison {
  fileprivate var format: String {
    let prefix =
      switch quantifier {
      case .any: "ANY "
      case .all: "ALL "
      case nil: ""
      }
    let options = options.isEmpty ? "" : "[\(options.letters)]"
    return "\(prefix)\(left.format) \(`operator`.keyword)\(options) \(right.format)"
  }
}

extension Query.Expression {
  /// The expression in the format language.
  public var format: String {
    switch self {
    case .value(let value): value.format
    case .list(let members): "{\(members.map(\.format).joined(separator: ", "))}"
    case .path(let path): path.format
    case .negative(let operand):
      // A sign before a number would become part of it.
      if case .value = operand { "-(\(operand.format))" } else { "-\(operand.formatAsOperand)" }
    case .arithmetic(let operation, let left, let right):
      if let symbol = operation.symbol {
        "\(left.formatAsOperand) \(symbol) \(right.formatAsOperand)"
      } else {
        "\(operation.functionName)(\(left.format), \(right.format))"
      }
    case .function(.castToDate, let arguments): "CAST(\(arguments[0].format), \"NSDate\")"
    case .function(.castToNumber, let arguments): "CAST(\(arguments[0].format), \"NSNumber\")"
    case .function(let function, let arguments):
      "\(function.rawValue)(\(arguments.map(\.format).joined(separator: ", ")))"
    }
  }

  private var formatAsOperand: String {
    if case .arithmetic = self { "(\(format))" } else { format }
  }
}

extension Query.Value {
  /// The value as a literal of the format language.
  public var format: String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "YES" : "NO"
    case .integer(let value): "\(value)"
    case .double(let value): value.isInfinite ? (value < 0 ? "-1e309" : "1e309") : "\(value)"
    case .string(let text): "\"\(text.escaped)\""
    case .date(let instant): "CAST(\(instant.secondsSince2001), \"NSDate\")"
    case .list(let values): "{\(values.map(\.format).joined(separator: ", "))}"
    }
  }
}

extension String {
  /// As it stands between double quotes.
  fileprivate var escaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Query.Path {
  /// The path in the format language.
  public var format: String {
    var format =
      switch root {
      case .row: steps.isEmpty ? "SELF" : ""
      case .variable(let name): "$\(name)"
      case .subquery(let subquery):
        "SUBQUERY(\(subquery.collection.format), $\(subquery.variable), "
          + "\(subquery.predicate.format))"
      }
    for step in steps {
      switch step {
      case .field(let name):
        let key = format.isEmpty && name.isKeyword ? "#\(name)" : name
        format += format.isEmpty ? key : ".\(key)"
      case .aggregate(let aggregate): format += ".@\(aggregate.rawValue)"
      case .element(.first): format += "[FIRST]"
      case .element(.last): format += "[LAST]"
      case .element(.at(let index)): format += "[\(index)]"
      }
    }
    return format
  }
}

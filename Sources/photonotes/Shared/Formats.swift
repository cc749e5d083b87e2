import FoundationEssentials
import NoteArchive
import QueryLanguage
import Terminal

/// A predicate as a person writes it, with the arguments for its placeholders.
struct Formats: Equatable {
  var format: String?
  var arguments: [Query.Value] = []

  static let options: [Option<Self>] = [
    .string("--where", "PREDICATE", "As NSPredicate has it: 'favorite == YES AND …'", \.format),
    .values(
      "--arg", "VALUE",
      "For a %@ in it, in order: text, or int:2, double:0.5, bool:yes, date:2024-05-31, nil:",
      \.arguments, read: argument
    ),
  ]

  var isEmpty: Bool { format == nil && arguments.isEmpty }

  /// The predicate over `entity`; true for everything where none is given.
  func predicate(for entity: Query.Entity) throws -> Query.Predicate {
    guard let format else {
      guard arguments.isEmpty else {
        throw UsageError("“--arg” has no predicate to go into.", remedy: "Give one with “--where”.")
      }
      return .constant(true)
    }
    do {
      return try Query.Predicate(format, arguments: arguments, on: entity)
    } catch {
      // Text that was to be a number or a date is the usual cause.
      guard case .type = error.problem, arguments.contains(where: \.isText) else { throw error }
      throw UsageError(
        error.errorDescription ?? "\(error)",
        remedy: "An argument is text, unless it is written as int:2 or date:2024-05-31 is.")
    }
  }

  /// Reads `string:`, `int:`, `double:`, `bool:`, `date:` or `nil:` and a value; all else is text.
  static func argument(_ text: String) throws(InvalidValue) -> Query.Value {
    guard let colon = text.firstIndex(of: ":") else { return .string(text) }
    let value = String(text[text.index(after: colon)...])
    switch text[..<colon] {
    case "string": return .string(value)
    case "int":
      guard let integer = Int64(value) else {
        throw InvalidValue(expected: "int: and a whole number")
      }
      return .integer(integer)
    case "double":
      guard let double = Double(value) else { throw InvalidValue(expected: "double: and a number") }
      return .double(double)
    case "bool":
      switch value.lowercased() {
      case "yes", "true", "1": return .bool(true)
      case "no", "false", "0": return .bool(false)
      default: throw InvalidValue(expected: "bool:yes or bool:no")
      }
    case "date":
      guard let moment = Moment(iso8601: value) else {
        throw InvalidValue(expected: "date: and a date like 2024-05-31T18:30Z")
      }
      return .date(Query.Instant(millisecondsSince1970: Int64(moment.milliseconds)))
    case "nil" where value.isEmpty: return .null
    default: return .string(text)
    }
  }
}

extension Query.Value {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
}

import NoteArchive
import QueryLanguage
import Terminal

/// Lists the fields that predicates and orders may use.
struct Fields: Command, Equatable {
  static let name = "fields"
  static let summary = "List the fields that filters and orders may use"

  func run(in session: Session) async throws -> ExitStatus {
    var table = Table([.init("field"), .init("type"), .init("", gives: true)])
    for (entity, prefix) in [(Catalog.note, ""), (Catalog.photo, "photos.")] {
      for field in entity.fields {
        if session.isJSON {
          session.console.print([
            "type": "field", "entity": .string(entity.name), "name": .string(field.name),
            "valueType": .string(field.typeText), "summary": .string(field.summary),
          ])
        } else {
          table.append([prefix + field.name, field.typeText, field.summary])
        }
      }
    }
    if !session.isJSON { session.console.print(table) }
    return .success
  }
}

extension Query.Field {
  /// The type of its values, in words.
  fileprivate var typeText: String {
    switch content {
    case .scalar(let type, let nullable, _): nullable ? "\(type.rawValue) or nil" : type.rawValue
    case .scalars(let type, _, _): "to-many \(type.rawValue)"
    case .toOne(let entity, _): entity().name
    case .toMany(let entity, _): "to-many \(entity().name)"
    }
  }
}

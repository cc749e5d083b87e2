package import QueryLanguage
package import SQLite

extension Function {
  /// All that the SQL of this module calls and SQLite does not have.
  static let ofArchive = [noteID] + Query.SQLFunction.all.map(Function.init)

  /// `note_id(uuid)`: 16 bytes as people read them.
  private static let noteID = Function(name: "note_id", argumentCount: 1) { arguments in
    guard case .blob(let bytes) = arguments.value(0), let id = NoteID(bytes: bytes) else {
      return .null
    }
    return .text(id.description)
  }

  /// A function of compiled predicates, as SQLite calls it.
  package init(_ function: Query.SQLFunction) {
    switch function.body {
    case .match(let prepare):
      self.init(
        name: function.name, argumentCount: function.argumentCount, constantArgument: 1,
        prepare: { try prepare($0.string(1), $0.int(2)) },
        body: { matcher, arguments in
          if arguments.isNull(0) || arguments.isNull(1) { return .null }
          return .bool(try arguments.withUTF8(0) { try matcher.matches($0) })
        })
    case .value(let apply):
      self.init(name: function.name, argumentCount: function.argumentCount) { arguments in
        Value(apply((0..<function.argumentCount).map { Query.Value(arguments.value($0)) }))
      }
    }
  }
}

extension Query.Value {
  /// A value of a column or an argument, as predicates see it; a blob is none of theirs.
  init(_ value: Value) {
    self =
      switch value {
      case .null, .blob: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .double(real)
      case .text(let text): .string(text)
      }
  }
}

extension Value {
  /// A binding of compiled SQL; lists are compiled into their members and never come here.
  package init(_ value: Query.Value) {
    self =
      switch value.stored {
      case .integer(let integer): .integer(integer)
      case .double(let double): .real(double)
      case .string(let string): .text(string)
      case .null, .bool, .date, .list: .null
      }
  }
}

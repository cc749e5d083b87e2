/// What a command expects beside its options: words whose place says what they are.
package struct Positional<Root>: Sendable {
  /// The word that stands for it in help and messages: “NOTE”.
  let name: String
  /// What it is, as a phrase.
  let help: String
  /// Whether there must be a word for it.
  let isRequired: Bool
  /// Whether it takes any number of words.
  let isRepeated: Bool
  let read: @Sendable (inout Root, Argument) throws -> Void

  /// The name as a synopsis has it.
  var synopsis: String {
    let words = isRepeated ? "\(name)..." : name
    return isRequired ? words : "[\(words)]"
  }
}

extension Positional {
  /// One word of text, which must be there.
  package static func one(
    _ name: String, _ help: String, _ field: Field<Root, String>
  ) -> Self { .one(name, help, field, read: text) }

  /// One word, which must be there, as `read` understands it.
  package static func one<Value>(
    _ name: String, _ help: String, _ field: Field<Root, Value>,
    read: @escaping @Sendable (Argument) throws -> Value
  ) -> Self {
    Self(name: name, help: help, isRequired: true, isRepeated: false) {
      $0[keyPath: field] = try read($1)
    }
  }

  /// One word of text, or none.
  package static func optional(
    _ name: String, _ help: String, _ field: Field<Root, String?>
  ) -> Self { .optional(name, help, field, read: text) }

  /// One word, or none, as `read` understands it.
  package static func optional<Value>(
    _ name: String, _ help: String, _ field: Field<Root, Value?>,
    read: @escaping @Sendable (Argument) throws -> Value
  ) -> Self {
    Self(name: name, help: help, isRequired: false, isRepeated: false) {
      $0[keyPath: field] = try read($1)
    }
  }

  /// Words of text: at least one where `required`.
  package static func many(
    _ name: String, _ help: String, required: Bool = false,
    _ field: Field<Root, [String]>
  ) -> Self { .many(name, help, required: required, field, read: text) }

  /// Words: at least one where `required`, as `read` understands each.
  package static func many<Value>(
    _ name: String, _ help: String, required: Bool = false,
    _ field: Field<Root, [Value]>,
    read: @escaping @Sendable (Argument) throws -> Value
  ) -> Self {
    Self(name: name, help: help, isRequired: required, isRepeated: true) {
      $0[keyPath: field].append(try read($1))
    }
  }
}

extension Array {
  /// These positionals for a struct that holds their `Root` at `path`.
  package func at<Root, Outer>(
    _ path: Field<Outer, Root>
  ) -> [Positional<Outer>] where Element == Positional<Root> {
    map { positional in
      Positional<Outer>(
        name: positional.name, help: positional.help, isRequired: positional.isRequired,
        isRepeated: positional.isRepeated,
        read: { outer, word in try positional.read(&outer[keyPath: path], word) })
    }
  }
}

/// An option of a command, which writes to one field of `Root`: the command itself, or a struct that
/// several commands have in common.
package struct Option<Root>: Sendable {
  /// What the option does to its field.
  enum Action: Sendable {
    case set(@Sendable (inout Root) -> Void)
    case read(@Sendable (inout Root, Argument) throws -> Void)
  }

  /// Its names: the one that help shows first, then the others.
  var names: [String]
  /// The word that stands for its value in help; nil for a flag.
  var placeholder: String?
  /// What it is for, as a phrase.
  let help: String
  /// The title over it in help.
  var heading = "Options"
  /// The way to the field, outermost part first: options with the same one contradict each other.
  var field: [any AnyKeyPath & Sendable]
  /// Whether each use adds a value.
  var repeats = false
  /// The values allowed, where they can be listed.
  var choices: [String] = []
  /// The value it has when not given, as help shows it.
  var shownDefault: @Sendable (Root) -> String? = { _ in nil }
  let action: Action

  /// The option under another name too.
  ///
  /// Help shows a short one, such as `-n`, and keeps quiet about another spelling.
  package func alias(_ name: String) -> Self {
    var option = self
    option.names.append(name)
    return option
  }

  var takesValue: Bool { placeholder != nil }
}

/// An enum whose cases' raw values people write.
package typealias Choice = CaseIterable & RawRepresentable<String> & SendableMetatype

// MARK: - Kinds

extension Option {
  /// An option without a value, which sets its field to `value`: two of them make a yes and a no.
  package static func flag<Value: Sendable>(
    _ name: String, _ help: String, _ field: Field<Root, Value>,
    sets value: Value
  ) -> Self {
    Self(names: [name], help: help, field: [field], action: .set { $0[keyPath: field] = value })
  }

  /// An option without a value, which makes its field true.
  package static func flag(
    _ name: String, _ help: String, _ field: Field<Root, Bool>
  ) -> Self { .flag(name, help, field, sets: true) }

  /// An option that takes text of any kind; its field's text, unless empty, is the default.
  package static func string(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, String>
  ) -> Self {
    var option = value(name, placeholder, help, field) { $0 }
    option.shownDefault = { $0[keyPath: field].isEmpty ? nil : $0[keyPath: field] }
    return option
  }

  /// An option that takes text of any kind.
  package static func string(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, String?>
  ) -> Self { .value(name, placeholder, help, field) { $0 } }

  /// An option that may be given several times, each with one text.
  package static func strings(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, [String]>
  ) -> Self { .values(name, placeholder, help, field) { $0 } }

  /// An option that takes a whole number within `range`; its field has the default.
  package static func integer(
    _ name: String, _ placeholder: String, in range: ClosedRange<Int> = .min ... .max,
    _ help: String, _ field: Field<Root, Int>
  ) -> Self {
    var option = value(name, placeholder, help, field) { try integer($0, in: range) }
    option.shownDefault = { String($0[keyPath: field]) }
    return option
  }

  /// An option that takes a whole number within `range`.
  package static func integer(
    _ name: String, _ placeholder: String, in range: ClosedRange<Int> = .min ... .max,
    _ help: String, _ field: Field<Root, Int?>
  ) -> Self { .value(name, placeholder, help, field) { try integer($0, in: range) } }

  /// An option that takes the raw value of one of `Value`'s cases; its field has the default.
  package static func choice<Value: Choice>(
    _ name: String, _ placeholder: String, _ help: String, _ field: Field<Root, Value>
  ) -> Self {
    var option = value(name, placeholder, help, field, read: choice)
    option.choices = Value.allCases.map(\.rawValue)
    option.shownDefault = { $0[keyPath: field].rawValue }
    return option
  }

  /// An option that takes the raw value of one of `Value`'s cases.
  package static func choice<Value: Choice>(
    _ name: String, _ placeholder: String, _ help: String, _ field: Field<Root, Value?>
  ) -> Self {
    var option = value(name, placeholder, help, field) { text in try choice(text) as Value }
    option.choices = Value.allCases.map(\.rawValue)
    return option
  }

  /// An option whose text `read` turns into the value of its field.
  ///
  /// `read` throws `InvalidValue`, or a `LocalizedError` that can stand by itself.
  package static func value<Value>(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, Value>,
    read: @escaping @Sendable (String) throws -> Value
  ) -> Self { .raw(name, placeholder, help, field) { try read(text($0)) } }

  /// An option that may be given several times; `read` turns each text into one more value.
  package static func values<Value>(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, [Value]>,
    read: @escaping @Sendable (String) throws -> Value
  ) -> Self {
    raws(name, placeholder, help, field) { try read(text($0)) }
  }

  /// An option that may be given several times, each with the bytes of one path.
  package static func raws<Value>(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, [Value]>,
    read: @escaping @Sendable (Argument) throws -> Value
  ) -> Self {
    Self(
      names: [name], placeholder: placeholder, help: help, field: [field], repeats: true,
      action: .read { $0[keyPath: field].append(try read($1)) })
  }

  /// An option that takes bytes: the path of a file, whose name need not be UTF-8.
  package static func raw<Value>(
    _ name: String, _ placeholder: String, _ help: String,
    _ field: Field<Root, Value>,
    read: @escaping @Sendable (Argument) throws -> Value
  ) -> Self {
    Self(
      names: [name], placeholder: placeholder, help: help, field: [field],
      action: .read { $0[keyPath: field] = try read($1) })
  }

  private static func integer(
    _ text: String, in range: ClosedRange<Int>
  ) throws(InvalidValue) -> Int {
    if let number = Int(text), range.contains(number) { return number }
    let expected =
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): "a whole number"
      case (let low, .max): "a whole number from \(low) up"
      case (.min, let high): "a whole number up to \(high)"
      case (let low, let high): "a whole number from \(low) to \(high)"
      }
    throw InvalidValue(expected: expected)
  }

  private static func choice<Value: Choice>(_ text: String) throws(InvalidValue) -> Value {
    if let value = Value(rawValue: text) { return value }
    throw InvalidValue(expected: Value.allCases.map(\.rawValue).formatted(lastSeparator: "or"))
  }
}

/// The text of `argument`, for a field that is text.
func text(_ argument: Argument) throws(InvalidValue) -> String {
  guard let text = argument.text else { throw InvalidValue(expected: "text in UTF-8") }
  return text
}

extension [String] {
  /// The strings as people list them: “a, b or c”.
  func formatted(lastSeparator: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) \(lastSeparator) \(last)"
  }
}

// MARK: - Options in common

extension Array {
  /// These options for a struct that holds their `Root` at `path`, so that commands can share them:
  /// `Filter.options.at(\Self.filter, heading: "Filters")`.
  package func at<Root, Outer>(
    _ path: Field<Outer, Root>, heading: String? = nil
  ) -> [Option<Outer>] where Element == Option<Root> {
    map { option in
      let action: Option<Outer>.Action =
        switch option.action {
        case .set(let set): .set { set(&$0[keyPath: path]) }
        case .read(let read): .read { try read(&$0[keyPath: path], $1) }
        }
      return Option<Outer>(
        names: option.names, placeholder: option.placeholder, help: option.help,
        heading: heading ?? option.heading, field: [path] + option.field, repeats: option.repeats,
        choices: option.choices, shownDefault: { option.shownDefault($0[keyPath: path]) },
        action: action)
    }
  }
}

/// A JSON value whose objects keep the order of their keys.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// A text, or null.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }
  /// A whole number, or null.
  package init<Number: BinaryInteger>(_ number: Number?) {
    self = number.map { .integer(Int64(clamping: $0)) } ?? .null
  }
  /// A number, or null; JSON has none that is infinite or not a number.
  package init(_ number: Double?) {
    self = if let number, number.isFinite { .number(number) } else { .null }
  }
  /// True, false or null.
  package init(_ truth: Bool?) { self = truth.map { .bool($0) } ?? .null }
  /// Texts.
  package init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }
  /// Objects.
  package init(_ objects: [JSONObject]) { self = .array(objects.map { .object($0) }) }
}

/// A JSON object: keys in the order in which they were given, written on one line.
package struct JSONObject: Equatable, Sendable {
  /// A key and what it has.
  package struct Member: Equatable, Sendable {
    /// The key.
    package let key: String
    /// Its value.
    package let value: JSONValue
  }

  /// The members, in order.
  package private(set) var members: [Member] = []

  /// An object without members.
  package init() {}

  /// The value at `key`, or nil.
  ///
  /// Setting a value adds the key last or keeps its place; setting nil removes it.
  package subscript(key: String) -> JSONValue? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index] = Member(key: key, value: value)
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with these members, in this order.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { Member(key: $0.0, value: $0.1) }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// A text.
  package init(stringLiteral text: String) { self = .string(text) }
  /// A whole number.
  package init(integerLiteral number: Int64) { self = .integer(number) }
  /// A number.
  package init(floatLiteral number: Double) { self = .init(number) }
  /// True or false.
  package init(booleanLiteral truth: Bool) { self = .bool(truth) }
  /// Null.
  package init(nilLiteral: ()) { self = .null }
}

// MARK: - Writing

extension JSONObject: CustomStringConvertible {
  /// The object as JSON text (RFC 8259) on one line.
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  fileprivate func write(to text: inout String) {
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      writeJSONString(member.key, to: &text)
      text += ":"
      member.value.write(to: &text)
    }
    text += "}"
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text (RFC 8259) on one line.
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  fileprivate func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let truth): text += truth ? "true" : "false"
    case .integer(let number): text += String(number)
    case .number(let number): text += number.isFinite ? String(number) : "null"
    case .string(let string): writeJSONString(string, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let object): object.write(to: &text)
    }
  }
}

/// Adds `string` in quotes, with what would steer a terminal escaped too: the meaning is the same.
private func writeJSONString(_ string: String, to text: inout String) {
  text += "\""
  for scalar in string.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.steersDisplay:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  text += "\""
}

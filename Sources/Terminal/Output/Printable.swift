// A file's name and a photo's text may hold anything, also what would move the cursor, recolour the
// screen, or show one name as another.

/// `text` with what a terminal would obey rather than show written out: `\n`, `\u{1B}`, `\u{202E}`.
///
/// With `keepingLines`, line breaks and tabs stay, for text that is shown as a block.
package func printable(_ text: String, keepingLines lines: Bool = false) -> String {
  if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
  var shown = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n", "\t":
      if lines {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += scalar == "\n" ? "\\n" : "\\t"
      }
    case "\r": shown += "\\r"
    case _ where scalar.steersDisplay:
      shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}

/// `bytes` as printable text, with each byte that is not UTF-8 as `\xNN`.
package func printable(_ bytes: [UInt8]) -> String {
  if let text = String(validating: bytes, as: UTF8.self) { return printable(text) }
  var shown = ""
  var decoder = Unicode.UTF8.ForwardParser()
  var rest = bytes.makeIterator()
  var position = 0
  while true {
    switch decoder.parseScalar(from: &rest) {
    case .valid(let encoded):
      shown += printable(String(Unicode.UTF8.decode(encoded)))
      position += encoded.count
    case .error(let length):
      for byte in bytes[position..<position + length] { shown += "\\x" + hex(byte) }
      position += length
    case .emptyInput: return shown
    }
  }
}

private func hex(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
}

extension Unicode.Scalar {
  /// Whether a terminal, rather than showing it, is steered by it: controls, line and paragraph
  /// separators, and the marks, embeddings, overrides and isolates of bidirectional text.
  var steersDisplay: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension Query {
  /// Text made ready to be compared, or to be indexed.
  package enum Folding {
    /// Changes whenever `index` gives another answer for some text; an index made by another
    /// version has to be made anew.
    package static let version = 1

    /// The text as a search index keeps it: case and accents of Latin, Greek and Cyrillic letters
    /// dropped, composed, so that a voiced kana is one character.
    ///
    /// Whatever the options, a text that contains another has its folded form in its own.
    package static func index(_ text: String) -> String {
      if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
      let folded = FoldedText(text, options: .folded)
      let decomposed = String(decoding: folded.bytes, as: UTF8.self)
      return folded.interior.isEmpty ? decomposed : UnicodeData.composed(decomposed)
    }

    /// The form that is equal for texts equal under `options`.
    package static func compared(_ text: String, options: TextOptions) -> String {
      if options.isEmpty { return text }
      return String(decoding: FoldedText(text, options: options).bytes, as: UTF8.self)
    }
  }
}

/// Text in the form that is compared, and the places at which no match may begin or end.
///
/// With options it is canonically decomposed and case folded, and under `[d]` the marks on Latin,
/// Greek and Cyrillic letters (those below U+0510, as CoreFoundation has it) are dropped. Without
/// options it is as stored.
struct FoldedText: Sendable {
  /// The text in UTF-8.
  let bytes: [UInt8]
  /// Offsets, ascending, that lie inside a character: before a mark, between the two s of an `ß`.
  let interior: [Int]

  /// Whether it begins with a mark, which may then be found inside a character of another text.
  var beginsInsideCharacter: Bool { interior.first == 0 }

  init(_ text: String, options: Query.TextOptions) {
    var text = text
    self = text.withUTF8 { Self.withFolding($0, options) { Self(bytes: Array($0), interior: $1) } }
  }

  private init(bytes: [UInt8], interior: [Int]) {
    self.bytes = bytes
    self.interior = interior
  }

  /// Lends the folded form of a text in UTF-8, and its interior.
  static func withFolding<Output>(
    _ text: UnsafeBufferPointer<UInt8>, _ options: Query.TextOptions,
    _ body: (UnsafeBufferPointer<UInt8>, [Int]) -> Output
  ) -> Output {
    // Neither decomposition nor case folding makes UTF-8 more than three times as long.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 3) { buffer in
      var writer = Writer(buffer, options)
      writer.write(text)
      if writer.hasDisorder {
        writer = Writer(buffer, options)
        var ordered = UnicodeData.decomposed(String(decoding: text, as: UTF8.self))
        ordered.withUTF8 { writer.write($0) }
      }
      return body(UnsafeBufferPointer(rebasing: buffer[..<writer.count]), writer.interior)
    }
  }
}

extension FoldedText {
  /// Folds a text into memory that is lent.
  private struct Writer {
    private(set) var count = 0
    private(set) var interior: [Int] = []
    /// Whether marks on one letter came in another order than the canonical one.
    private(set) var hasDisorder = false
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let isCaseInsensitive: Bool
    private let isDiacriticInsensitive: Bool
    private let table: FoldTable
    /// The code point that the next mark would be on.
    private var base = UInt32.max
    private var lastClass: UInt8 = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ options: Query.TextOptions) {
      self.buffer = buffer
      isCaseInsensitive = options.contains(.caseInsensitive)
      isDiacriticInsensitive = options.contains(.diacriticInsensitive)
      table = FoldTable.under(options)
    }

    mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
      var index = 0
      while index < text.count {
        let byte = text[index]
        if byte < 0x80 {
          buffer[count] = isCaseInsensitive ? byte.lowercasedASCII : byte
          count += 1
          index += 1
          begin(UInt32(byte))
          continue
        }
        switch table.fold(decodeUTF8(text, &index)) {
        case .single(let scalar):
          append(scalar)
          begin(scalar)
        case .parts(let parts): for part in parts { write(part) }
        }
      }
    }

    private mutating func begin(_ scalar: UInt32) {
      base = scalar
      lastClass = 0
    }

    private mutating func write(_ part: FoldTable.Part) {
      if part.isExtender {
        if isDiacriticInsensitive, part.isDroppable, base < 0x510 { return }
        if part.combiningClass != 0, part.combiningClass < lastClass { hasDisorder = true }
        lastClass = part.combiningClass
        interior.append(count)
      } else {
        begin(part.scalar)
      }
      append(part.scalar)
    }

    private mutating func append(_ scalar: UInt32) {
      switch scalar {
      case ..<0x80: append(byte: scalar)
      case ..<0x800:
        append(byte: 0xC0 | scalar >> 6)
        append(byte: 0x80 | scalar & 0x3F)
      case ..<0x1_0000:
        append(byte: 0xE0 | scalar >> 12)
        append(byte: 0x80 | scalar >> 6 & 0x3F)
        append(byte: 0x80 | scalar & 0x3F)
      default:
        append(byte: 0xF0 | scalar >> 18)
        append(byte: 0x80 | scalar >> 12 & 0x3F)
        append(byte: 0x80 | scalar >> 6 & 0x3F)
        append(byte: 0x80 | scalar & 0x3F)
      }
    }

    private mutating func append(byte: UInt32) {
      precondition(count < buffer.count, "a folded text of more than three times its length")
      buffer[count] = UInt8(truncatingIfNeeded: byte)
      count += 1
    }
  }
}

extension UInt8 {
  /// The lower case of an ASCII capital; any other byte is its own.
  var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// The code point at `index`, which moves past it; U+FFFD for a byte that begins none.
func decodeUTF8(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
  let lead = UInt32(text[index])
  index += 1
  let (count, first): (Int, UInt32) =
    switch lead {
    case 0xC2..<0xE0: (1, lead & 0x1F)
    case 0xE0..<0xF0: (2, lead & 0x0F)
    case 0xF0..<0xF5: (3, lead & 0x07)
    default: (0, lead < 0x80 ? lead : 0xFFFD)
    }
  guard index + count <= text.count else { return 0xFFFD }
  var scalar = first
  for offset in 0..<count {
    let byte = UInt32(text[index + offset])
    guard byte & 0xC0 == 0x80 else { return 0xFFFD }
    scalar = scalar << 6 | byte & 0x3F
  }
  index += count
  return Unicode.Scalar(scalar) == nil ? 0xFFFD : scalar
}

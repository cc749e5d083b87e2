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
      return UnicodeData.composed(compared(text, options: .folded))
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
/// Greek and Cyrillic letters (those below U+0510 once decomposed, as CoreFoundation has it) are
/// dropped. Without options it is as stored.
struct FoldedText: Sendable {
  /// The text in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// Offsets, ascending, that lie inside a character: before a mark, between the two s of an `ß`.
  private(set) var interior: [Int] = []

  /// Whether it begins with a mark, which may then be found inside a character of another text.
  var beginsInsideCharacter: Bool { interior.first == 0 }

  private let options: Query.TextOptions
  /// The code point that the next mark would be on.
  private var base = UInt32.max
  private var lastClass: UInt8 = 0
  private var hasDisorder = false

  init(_ text: String, options: Query.TextOptions) {
    var text = text
    self = text.withUTF8 { Self($0, options: options) }
  }

  init(_ text: UnsafeBufferPointer<UInt8>, options: Query.TextOptions) {
    self.init(folding: text, options)
    guard hasDisorder else { return }
    var ordered = UnicodeData.decomposed(String(decoding: text, as: UTF8.self))
    self = ordered.withUTF8 { Self(folding: $0, options) }
  }

  private init(folding text: UnsafeBufferPointer<UInt8>, _ options: Query.TextOptions) {
    self.options = options
    bytes.reserveCapacity(text.count + 8)
    let isCaseInsensitive = options.contains(.caseInsensitive)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        bytes.append(isCaseInsensitive ? byte.lowercasedASCII : byte)
        base = UInt32(byte)
        lastClass = 0
        index += 1
      } else {
        add(decodeUTF8(text, &index))
      }
    }
  }

  private mutating func add(_ scalar: UInt32) {
    switch UnicodeData.kind(scalar) {
    case .plain: addBase(scalar, folded: scalar)
    case .extender: addMarks(UnicodeData.decomposition(of: scalar) ?? [scalar])
    case .special where options.isEmpty: addBase(scalar, folded: scalar)
    case .special:
      let parts = UnicodeData.decomposition(of: scalar) ?? [scalar]
      addBase(parts[0], folded: nil)
      addMarks(parts[1...])
    }
  }

  private mutating func addBase(_ scalar: UInt32, folded: UInt32?) {
    base = scalar
    lastClass = 0
    if let folded {
      append(folded)
    } else {
      appendFolded(scalar)
    }
  }

  private mutating func addMarks(_ marks: some Sequence<UInt32>) {
    let dropping = options.contains(.diacriticInsensitive) && base < 0x510
    for mark in marks where !(dropping && UnicodeData.isNonspacing(mark)) {
      let order = UnicodeData.combiningClass(mark)
      if order != 0, order < lastClass, !options.isEmpty { hasDisorder = true }
      lastClass = order
      interior.append(bytes.count)
      appendFolded(mark)
    }
  }

  private mutating func appendFolded(_ scalar: UInt32) {
    guard options.contains(.caseInsensitive) else { return append(scalar) }
    for (index, part) in UnicodeData.caseFolded(scalar).enumerated() {
      if index > 0 { interior.append(bytes.count) }
      append(part)
    }
  }

  private mutating func append(_ scalar: UInt32) {
    if let encoded = Unicode.Scalar(scalar).map(UTF8.encode) ?? nil { bytes += encoded }
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

/// How each code point is folded under some options, and which begin a character.
///
/// Made of ICU's data once for each set of options, when the first text beyond ASCII is compared:
/// asking ICU about each code point of a text takes 20 times as long.
final class FoldTable: Sendable {
  /// The folded form of a code point.
  enum Folded {
    /// One code point, which begins a character.
    case single(UInt32)
    /// Anything else.
    case parts([Part])
  }

  /// One code point of a folded form.
  struct Part: Sendable {
    let scalar: UInt32
    /// Whether it belongs to the character before it, as a mark does.
    let isExtender: Bool
    /// Whether it is a mark that `[d]` drops from a Latin, Greek or Cyrillic letter.
    let isDroppable: Bool
    /// Its place among the marks on one letter; 0 for what does not move.
    let combiningClass: UInt8
  }

  private let options: Query.TextOptions
  /// What code points from 0 fold to; one from `expansionBase` on is an index into `expansions`.
  private let lower: [UInt32]
  /// The same for code points from `upperStart`.
  private let upper: [UInt32]
  private let expansions: [[Part]]

  private static let lowerCount: UInt32 = 0x3100
  private static let upperStart: UInt32 = 0xFE00
  private static let upperCount: UInt32 = 0x01F0
  private static let expansionBase: UInt32 = 0x11_0000

  static func under(_ options: Query.TextOptions) -> FoldTable {
    switch options {
    case .folded: folded
    case .caseInsensitive: caseInsensitive
    case .diacriticInsensitive: diacriticInsensitive
    default: asStored
    }
  }

  private static let folded = FoldTable(.folded)
  private static let caseInsensitive = FoldTable(.caseInsensitive)
  private static let diacriticInsensitive = FoldTable(.diacriticInsensitive)
  private static let asStored = FoldTable([])

  private init(_ options: Query.TextOptions) {
    self.options = options
    var expansions: [[Part]] = []
    func code(_ scalar: UInt32) -> UInt32 {
      switch Self.look(up: scalar, options) {
      case .single(let single): return single
      case .parts(let parts):
        expansions.append(parts)
        return Self.expansionBase + UInt32(expansions.count - 1)
      }
    }
    lower = (0..<Self.lowerCount).map(code)
    upper = (Self.upperStart..<Self.upperStart + Self.upperCount).map(code)
    self.expansions = expansions
  }

  /// The folded form of a code point.
  func fold(_ scalar: UInt32) -> Folded {
    switch scalar {
    case ..<Self.lowerCount: entry(lower[Int(scalar)])
    // Ideographs, the syllables of Yi, and emoji: they have neither case nor marks.
    case Self.lowerCount..<0xA490, 0x1_F000..<0x1_FB00, 0x2_0000..<0x2_F800: .single(scalar)
    case 0xAC00..<0xD7A4 where !options.isEmpty: .parts(Self.jamo(of: scalar))
    case Self.upperStart..<Self.upperStart + Self.upperCount:
      entry(upper[Int(scalar - Self.upperStart)])
    default: Self.look(up: scalar, options)
    }
  }

  private func entry(_ code: UInt32) -> Folded {
    code < Self.expansionBase
      ? .single(code) : .parts(expansions[Int(code - Self.expansionBase)])
  }

  private static func look(up scalar: UInt32, _ options: Query.TextOptions) -> Folded {
    if options.isEmpty {
      return UnicodeData.isExtender(scalar) ? .parts([Part(extender: scalar)]) : .single(scalar)
    }
    var parts: [Part] = []
    for (index, part) in UnicodeData.decomposition(of: scalar).enumerated() {
      // What a mark is is told before its case is folded: the iota below an alpha becomes a letter.
      let isMark = index > 0 || UnicodeData.isExtender(part)
      let folded =
        options.contains(.caseInsensitive) ? UnicodeData.caseFolded(part) : [part]
      for (offset, scalar) in folded.enumerated() {
        // Of `ß`, the second s belongs to the first.
        parts.append(
          Part(
            scalar: scalar, isExtender: isMark || offset > 0,
            isDroppable: isMark && UnicodeData.isNonspacing(part),
            combiningClass: isMark ? UnicodeData.combiningClass(part) : 0))
      }
    }
    return parts.count == 1 && !parts[0].isExtender ? .single(parts[0].scalar) : .parts(parts)
  }

  /// The composition of Hangul is arithmetic (The Unicode Standard, section 3.12).
  private static func jamo(of syllable: UInt32) -> [Part] {
    let index = syllable - 0xAC00
    let (lead, vowel, tail) = (0x1100 + index / 588, 0x1161 + index % 588 / 28, index % 28)
    let start = Part(scalar: lead, isExtender: false, isDroppable: false, combiningClass: 0)
    return [start, Part(jamo: vowel)] + (tail == 0 ? [] : [Part(jamo: 0x11A7 + tail)])
  }
}

extension FoldTable.Part {
  fileprivate init(extender scalar: UInt32) {
    self.init(
      scalar: scalar, isExtender: true, isDroppable: UnicodeData.isNonspacing(scalar),
      combiningClass: UnicodeData.combiningClass(scalar))
  }

  fileprivate init(jamo scalar: UInt32) {
    self.init(scalar: scalar, isExtender: true, isDroppable: false, combiningClass: 0)
  }
}

extension Query {
  /// The fields of a record as one text for a search index: folded, one after the other.
  package struct SearchDocument: Sendable {
    /// Stands between the fields: no word of the index spans it, and no field has it.
    package static let separator: Character = "\u{1F}"

    /// The folded fields.
    package private(set) var text = ""

    /// Whether the text says all: whether it has the folded form of another text exactly where some
    /// field contains that text under `[cd]`.
    ///
    /// Not so where a character has become two, as `ß` has, or keeps a mark of its own, or can be
    /// taken for one that `Grams` writes in another way.
    package private(set) var isPlain = true

    /// No fields yet.
    package init() {}

    /// Adds a field; an empty one adds nothing.
    package mutating func append(_ field: String) {
      if field.isEmpty { return }
      if !text.isEmpty { text.append(Self.separator) }
      let folded = Folding.index(field)
      text += Self.part(folded)
      if field.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x1F }) { return }
      // Plain is what has one code point for each character of the text that is compared.
      let compared = FoldedText(field, options: .folded)
      let characterCount = compared.bytes.count { $0 & 0xC0 != 0x80 } - compared.interior.count
      isPlain =
        isPlain && folded.unicodeScalars.count == characterCount
        && !folded.unicodeScalars.contains {
          $0 == "\u{1F}" || (0xE000..<0xE100).contains($0.value)
        }
    }

    /// The form in which a folded text is found in a document.
    package static func part(_ folded: String) -> String {
      guard folded.utf8.contains(0x1F) else { return folded }
      return String(
        String.UnicodeScalarView(folded.unicodeScalars.map { $0 == "\u{1F}" ? "\u{E01F}" : $0 }))
    }

    /// The words of the text, once each and with spaces between them: `Grams.all` of each field.
    ///
    /// A note is indexed at each change, and a word is one number here.
    package static func words(of text: String) -> String {
      var words: [UInt64] = []
      words.reserveCapacity(text.utf8.count * 2)
      var (before, last): (UInt64, UInt64) = (0, 0)  // 0 where there is none, or it is wide.
      var previous: UInt64 = 0
      for scalar in text.unicodeScalars {
        guard scalar != "\u{1F}" else {
          (before, last, previous) = (0, 0, 0)
          continue
        }
        let new = UInt64(Grams.wordCharacter(scalar).value)
        words.append(new)
        if previous != 0 { words.append(previous << 21 | new) }
        let narrow = Grams.isWide(scalar) ? 0 : new
        if before != 0, last != 0, narrow != 0 { words.append(before << 42 | last << 21 | new) }
        (before, last, previous) = (last, narrow, new)
      }
      words.sort()
      var joined = ""
      joined.reserveCapacity(words.count * 6)
      var former: UInt64 = 0
      for word in words where word != former {
        if former != 0 { joined.unicodeScalars.append(" ") }
        for shift in [42, 21, 0] as [UInt64] {
          let scalar = Unicode.Scalar(UInt32(word >> shift & 0x1F_FFFF))
          if let scalar, scalar.value != 0 { joined.unicodeScalars.append(scalar) }
        }
        former = word
      }
      return joined
    }
  }
}

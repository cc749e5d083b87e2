extension Query {
  /// The words of a search index: runs of one to three characters of a folded text.
  ///
  /// All runs of one and of two, and those of three in which no character is from U+2E80 on, where
  /// the ideographs and kana are. SQLite's stock `ascii` tokenizer takes what is neither a letter nor a
  /// digit of ASCII for the end of a word, so each of those is written as U+E000 and its code.
  package enum Grams {
    /// Every run of a text, as the index has to have them, none twice.
    package static func all(of folded: String) -> [String] {
      let characters = Array(folded.unicodeScalars)
      var grams: [[Unicode.Scalar]] = []
      for start in characters.indices {
        for count in 1...3 where start + count <= characters.count {
          let gram = Array(characters[start..<start + count])
          if count < 3 || !gram.contains(where: isWide) { grams.append(gram) }
        }
      }
      return words(grams)
    }

    /// The fewest runs that a text with `folded` in it has to have, none twice.
    package static func needed(for folded: String) -> [String] {
      let characters = Array(folded.unicodeScalars)
      guard characters.count > 2 else { return characters.isEmpty ? [] : words([characters]) }
      return words(
        (0..<characters.count - 2).flatMap { start in
          let gram = Array(characters[start..<start + 3])
          return gram.contains(where: isWide) ? [Array(gram[..<2]), Array(gram[1...])] : [gram]
        })
    }

    static func isWide(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x2E80 }

    private static func words(_ grams: [[Unicode.Scalar]]) -> [String] {
      var seen = Set<[Unicode.Scalar]>()
      return grams.filter { seen.insert($0).inserted }.map { gram in
        var word = String.UnicodeScalarView()
        word.append(contentsOf: gram.map(wordCharacter))
        return String(word)
      }
    }

    static func wordCharacter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      switch scalar {
      case "a"..."z", "0"..."9": scalar
      default: scalar.isASCII ? Unicode.Scalar(0xE000 + scalar.value) ?? scalar : scalar
      }
    }
  }
}

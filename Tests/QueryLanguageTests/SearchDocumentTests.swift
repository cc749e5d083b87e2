import TestSupport
import Testing

@testable import QueryLanguage

@Suite struct SearchDocumentTests {
  private static let characters = Array(
    "aAeéE\u{301}\u{308}\u{323}İiıßsSﬁfΐιςσΣがか\u{3099}ハパ\u{309A}가각ᄀ\u{1161}\u{11A8}京都ǰŉ\u{345}ᾳ 1_*\u{1F}\u{0}ё\u{E020}ｶﾞกำค\u{93F}\u{200D}👩क\u{94D}"
      .unicodeScalars)

  private func text(_ lengths: ClosedRange<Int>, using random: inout SplitMix) -> String {
    let characters = Self.characters
    let scalars = (0..<Int.random(in: lengths, using: &random)).map { _ in
      characters[Int.random(in: characters.indices, using: &random)]
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private func words(of text: String) -> [[UInt8]] {
    Query.SearchDocument.words(of: text).utf8.split(separator: 0x20).map(Array.init)
  }

  @Test func `the words of a document are all grams of each field, once`() {
    var random = SplitMix(seed: 5)
    for _ in 0..<2000 {
      var document = Query.SearchDocument()
      var expected = Set<[UInt8]>()
      for _ in 0..<3 {
        let field = text(0...9, using: &random)
        document.append(field)
        let part = Query.SearchDocument.part(Query.Folding.index(field))
        expected.formUnion(Query.Grams.all(of: part).map { Array($0.utf8) })
      }
      let words = words(of: document.text)
      #expect(Set(words) == expected)
      #expect(words.count == expected.count)
    }
  }

  @Test func `a field that matches has what is required of it, and a plain one decides`() throws {
    var random = SplitMix(seed: 11)
    var (matched, plain) = (0, 0)
    for _ in 0..<40_000 {
      let hay = text(1...12, using: &random)
      let scalars = Array(hay.unicodeScalars)
      let start = Int.random(in: scalars.indices, using: &random)
      let end = Int.random(in: start..<scalars.count, using: &random)
      let needle =
        Bool.random(using: &random)
        ? String(String.UnicodeScalarView(scalars[start...end])) : text(1...3, using: &random)
      guard let folded = Query.Folding.indexed(part: needle) else { continue }
      let part = Query.SearchDocument.part(folded)
      var document = Query.SearchDocument()
      document.append(hay)
      let isFound = Array(document.text.utf8).contains(Array(part.utf8))
      if isFound {
        let words = Set(words(of: document.text))
        for word in Query.Grams.needed(for: part) { #expect(words.contains(Array(word.utf8))) }
      }
      for options in [[], .caseInsensitive, .diacriticInsensitive, .folded] as [Query.TextOptions] {
        let matches = try TextMatcher(.contains, needle, options: options).matches(hay)
        if matches {
          matched += 1
          #expect(isFound, "\(hay.debugDescription) \(needle.debugDescription)")
        }
        if document.isPlain, options == .folded {
          plain += 1
          #expect(matches == isFound, "\(hay.debugDescription) \(needle.debugDescription)")
        }
      }
    }
    #expect(matched > 10_000 && plain > 5_000)
  }
}

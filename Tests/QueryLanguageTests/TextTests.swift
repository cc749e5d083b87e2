import QueryLanguage
import TestSupport
import Testing

@Suite struct TextTests {
  private func holds(
    _ text: String, _ operation: Query.Operator, _ pattern: String, _ options: Query.TextOptions
  ) throws -> Bool {
    try TextMatcher(operation, pattern, options: options).matches(text)
  }

  @Test(arguments: [
    ("Straße", "ss", true), ("Straße", "s", true), ("Maß", "s", false), ("Maß", "ss", true),
    ("ﬁn", "fi", true), ("ﬁn", "f", false), ("ΣΤΌΧΟΣ", "στόχος", true), ("ǅ", "ǆ", true),
    ("İstanbul", "i", false), ("İstanbul", "i\u{307}stanbul", true), ("ISTANBUL", "ı", false),
    ("\u{212A}", "k", true), ("Ა", "ა", true), ("𐐀", "𐐨", true), ("ＡＢＣ", "ａｂｃ", true),
    ("ＡＢＣ", "abc", false), ("É", "e\u{301}", true), ("é", "e", false), ("e\u{301}", "e", false),
    ("e\u{301}x", "ex", false), ("ẞ", "ss", true),
  ])
  func `case folding is full, and never splits a character`(
    text: String, part: String, expected: Bool
  ) throws {
    #expect(try holds(text, .contains, part, .caseInsensitive) == expected)
  }

  @Test(arguments: [
    ("é", "e", true), ("e\u{301}", "e", true), ("ệ", "e", true), ("Å", "a", true), ("й", "и", true),
    ("ё", "е", true), ("ό", "ο", true), ("İ", "i", true), ("ø", "o", false), ("ł", "l", false),
    ("æ", "ae", false), ("ı", "i", false), ("が", "か", false), ("か\u{3099}", "か", false),
    ("か\u{3099}", "が", true), ("ぱ", "は", false), ("パ", "ﾊﾟ", false), ("ぱん", "パン", false),
    ("天安门", "天安門", false), ("ＡＢＣ", "abc", false), ("한글", "\u{1112}\u{1161}\u{11AB}", true),
    ("한글", "하", false), ("x\u{30C}y", "xy", true), ("👨\u{200D}👩", "👩", true),
    ("ك\u{64E}ت", "ك", false), ("a\r\nb", "\n", true),
  ])
  func `accents are dropped from Latin, Greek and Cyrillic letters alone`(
    text: String, part: String, expected: Bool
  ) throws {
    #expect(try holds(text, .contains, part, .folded) == expected)
  }

  @Test func `without options text is compared as stored`() throws {
    #expect(try !holds("cafe\u{301}", .contains, "é", []))
    #expect(try holds("cafe\u{301}", .contains, "e\u{301}", []))
    #expect(try holds("a\r\nb", .contains, "\n", []))
    #expect(try holds("👨\u{200D}👩\u{200D}👧", .contains, "👩", []))
  }

  @Test func `marks on one letter are equal in any order`() throws {
    #expect(try holds("q\u{323}\u{307}", .equal, "Q\u{307}\u{323}", .caseInsensitive))
    #expect(try holds("ك\u{64E}\u{651}", .equal, "ك\u{651}\u{64E}", .folded))
  }

  @Test(arguments: ["", "é", "か", "\u{301}"], Query.TextOptions.everySet)
  func `nothing begins with, ends with or contains an empty text`(
    text: String, options: Query.TextOptions
  ) throws {
    for operation in [Query.Operator.contains, .beginsWith, .endsWith] {
      #expect(try !holds(text, operation, "", options))
    }
  }

  @Test(arguments: [
    ("Straße 12", "stra?e*", true), ("cafe\u{301}", "caf?", true), ("ab", "?", false),
    ("a\\*b", "a\\\\\\*b", true), ("a*b", "a\\*b", true), ("axb", "a\\*b", false),
    ("aXbXc", "*x*x*", true), ("line\nend", "line*end", true), ("", "*", true), ("", "?", false),
    ("aaaaab", "*aab", true), ("abab", "*ab", true), ("abc", "abc*", true), ("🎉", "?", true),
  ])
  func `LIKE covers the whole text`(text: String, pattern: String, expected: Bool) throws {
    #expect(try holds(text, .like, pattern, .folded) == expected)
  }

  @Test func `LIKE takes no longer than a search for each part of its pattern`() throws {
    let text = String(repeating: "a", count: 20_000)
    let pattern = String(repeating: "*a", count: 200) + "*b"
    let matcher = try TextMatcher(.like, pattern, options: .folded)
    let time = try ContinuousClock().measure {
      let matched = try matcher.matches(text)
      #expect(!matched)
    }
    #expect(time < .seconds(2))
  }

  @Test func `a regular expression that would run for hours is given up`() throws {
    let text = String(repeating: "a", count: 60) + "!"
    let time = ContinuousClock().measure {
      #expect(throws: Query.Problem.slowRegularExpression) {
        try holds(text, .matches, "(a+)+b", [])
      }
    }
    #expect(time < .seconds(2))
  }

  @Test func `MATCHES drops accents from both sides`() throws {
    #expect(try holds("Café", .matches, "[a-f]+é", .folded))
    #expect(try holds("ごはん", .matches, "[か-ご]..", .folded))
  }

}

extension Query.TextOptions {
  static let everySet = (0..<4).map { Query.TextOptions(rawValue: $0) }
}

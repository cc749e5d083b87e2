import Terminal
import Testing

@Suite struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain"), ("日本 é 👩‍🚀", "日本 é 👩‍🚀"), ("a\nb\tc\r", #"a\nb\tc\r"#),
    ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("\u{7}\u{0}\u{7F}", #"\u{7}\u{0}\u{7F}"#),
    ("\u{9B}31m", #"\u{9B}31m"#), ("photo\u{202E}gpj.exe", #"photo\u{202E}gpj.exe"#),
    ("\u{2066}x\u{2069}\u{200F}\u{61C}", #"\u{2066}x\u{2069}\u{200F}\u{61C}"#),
    ("a\u{2028}b", #"a\u{2028}b"#), ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"),
  ])
  func `what would steer the terminal is written out`(text: String, shown: String) {
    #expect(printable(text) == shown)
    #expect(printable(Array(text.utf8)) == shown)
  }

  @Test func `a block keeps its lines and nothing else that steers`() {
    #expect(printable("a\r\n\tb\u{1B}", keepingLines: true) == "a\\r\n\tb\\u{1B}")
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], #"a\xFFb"#), ([0xC3, 0x28], #"\xC3("#), ([0xE2, 0x82], #"\xE2\x82"#),
      ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#), ([0xFF, 0xC3, 0xA9, 0x0A], #"\xFFé\n"#),
      ([0xF0, 0x9F, 0x98, 0xFF, 0xE6, 0x97, 0xA5], #"\xF0\x9F\x98\xFF日"#),
    ] as [([UInt8], String)])
  func `a byte that is not UTF-8 is written out`(bytes: [UInt8], shown: String) {
    #expect(printable(bytes) == shown)
  }

  @Test func `no bytes at all give what a terminal obeys`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let shown = printable(bytes)
      #expect(
        !shown.unicodeScalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }, "\(bytes)")
    }
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("京都の庭", 8), ("ｶﾅ", 2), ("ｶﾞ", 2), ("Ａ", 2),
    ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍🚀", 2), ("☀️", 2), ("☀", 1), ("🇯🇵", 2), ("1️⃣", 2),
    ("नि", 1), ("…", 1), ("─█░·", 4), ("\u{200B}", 0),
  ])
  func `columns are counted as terminals do`(text: String, columns: Int) {
    #expect(displayWidth(text) == columns)
  }

  @Test func `a text is cut between characters`() {
    #expect(truncated("京都の庭", to: 8) == "京都の庭")
    #expect(truncated("京都の庭", to: 7) == "京都の…")
    #expect(truncated("京都の庭", to: 6) == "京都…")
    #expect(truncated("abc", to: 1) == "…")
    #expect(truncated("abc", to: 0) == "")
  }
}

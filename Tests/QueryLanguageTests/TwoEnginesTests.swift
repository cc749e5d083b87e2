import QueryLanguage
import TestSupport
import Testing

/// What memory and SQL say about predicates that nobody thought of.
@Suite struct TwoEnginesTests {
  private static let archive: TestArchive = {
    do {
      var random = SplitMix(seed: 7)
      return try TestArchive(
        ConformanceSuite.archive.notes + (0..<40).map { TestNote.random($0, using: &random) })
    } catch {
      fatalError("\(error)")
    }
  }()

  private static let count = 1_000

  private static func predicates(seed: UInt64) -> [Query.Predicate] {
    var generator = PredicateGenerator(
      .note, strings: TestNote.words,
      numbers: [0, 1, 2, 3, 1.5, -1, true, 800, 4032, 5_000_000_000],
      dates: archive.notes.prefix(12).map(\.date), seed: seed)
    return (0..<count).map { _ in generator.predicate() }
  }

  @Test func `memory and SQL agree on random predicates`() throws {
    var answers = Set<Int>()
    for predicate in Self.predicates(seed: 1) {
      let now = Query.Instant.now
      let memory = try Self.archive.idsInMemory(predicate, now: now)
      #expect(try Self.archive.idsInSQL(predicate, now: now) == memory, "\(predicate.format)")
      answers.insert(memory.count)
    }
    // Some select all, some none, and most of the numbers between come up.
    #expect(answers.count > 50)
  }

  @Test(arguments: Engine.allCases)
  func `a predicate and its negation share the notes between them`(engine: Engine) throws {
    let all = Self.archive.notes.map(\.id)
    for predicate in Self.predicates(seed: 2) {
      let now = Query.Instant.now
      let both = try [predicate, .not(predicate)].flatMap { predicate in
        switch engine {
        case .memory: try Self.archive.idsInMemory(predicate, now: now)
        case .sql: try Self.archive.idsInSQL(predicate, now: now)
        }
      }
      #expect(both.sorted() == all.sorted(), "\(predicate.format)")
    }
  }

  @Test func `a random predicate, printed, reads as the same predicate`() throws {
    for predicate in Self.predicates(seed: 3) {
      #expect(try Query.Predicate(predicate.format, on: .note) == predicate, "\(predicate.format)")
    }
  }
}

extension TestNote {
  /// Words of many scripts, and every oddity of comparison: marks, ligatures, both forms of kana.
  static let words = [
    "walk", "Walk", "Café", "cafe\u{301}", "CAFE", "Straße", "STRASSE", "ß", "s", "ﬁn", "fin", "f",
    "İstanbul", "istanbul", "ılık", "ø", "ΣΤΌΧΟΣ", "στόχος", "σ", "Ёлка", "елка", "й", "и\u{306}",
    "東京", "京", "パン", "ハ\u{309A}ン", "ハ", "か\u{3099}", "が", "か", "한글", "\u{1112}\u{1161}\u{11AB}",
    "하",
    "ＡＢＣ", "abc", "🎉", "👨\u{200D}👩\u{200D}👧", "👩", "\u{301}", "e\u{323}\u{302}", "ệ",
    "e\u{302}\u{323}",
    "ك\u{64E}ت", "كت", "", " ", "%", "_", "*", "?", "\\", "'", "\"", "\r\n", "\n", "1", "$x", "%@",
    "कि", "क", "ŉ", "x\u{30C}", "x", "ǆ", "ǅ", "K", "k",
  ]

  static func random(_ number: Int, using random: inout SplitMix) -> TestNote {
    func words(_ limit: Int) -> [String] {
      (0..<Int.random(in: 0...limit, using: &random)).map { _ in
        Self.words.randomElement(using: &random) ?? ""
      }
    }
    func optional(_ text: String) -> String? { Bool.random(using: &random) ? text : nil }
    func instant() -> Query.Instant {
      .init(millisecondsSince1970: .random(in: -2_000_000_000...1_700_000_000_000, using: &random))
    }
    return TestNote(
      id: "r\(number)", text: words(4).joined(), memo: optional(words(3).joined(separator: " ")),
      label: optional(words(1).joined()), tags: words(3), favorite: Bool.random(using: &random),
      date: instant(), createdAt: instant(),
      photos: (0..<Int.random(in: 0...3, using: &random)).map { _ in
        TestPhoto(
          filename: words(2).joined() + ".jpg", width: .random(in: 1...5000, using: &random),
          height: .random(in: 1...5000, using: &random),
          byteSize: .random(in: 1...6_000_000_000, using: &random),
          takenAt: Bool.random(using: &random) ? instant() : nil, format: "jpeg")
      })
  }
}

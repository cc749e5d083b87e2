import QueryLanguage
import TestSupport
import Testing

@Suite struct ParserTests {
  private func refusal(_ format: String, _ arguments: Query.Value...) -> Query.FormatError? {
    #expect(throws: Query.FormatError.self) {
      try Query.Predicate(format, arguments: arguments, on: .note)
    }
  }

  @Test(arguments: [
    ("text == \"👨‍👩‍👧\" AND titel == 1", 17), ("memo ==\n\"a\" OR", 15),
    ("photos.colour == 1", 8), ("ANY photos.width CONTAINS \"1\"", 5),
    ("photoCount == 1 + text", 15), ("text CONTAINS[x] \"a\"", 15), ("text == %z", 9),
    ("cafe\u{301} == 1", 4), ("text MATCHES[c] \"(\"", 17), ("label IN {\"a\", tags}", 16),
    ("SUBQUERY(photos, $p, $p.with > 1).@count > 0", 25), ("photoCount > photos.@max", 14),
  ])
  func `a refusal points at the place`(format: String, column: Int) {
    #expect(refusal(format)?.column == column)
  }

  @Test(arguments: [
    ("txt == \"a\"", "Did you mean “text”?"), ("favourite == YES", "Did you mean “favorite”?"),
    ("ANY photos.widht > 1", "Did you mean “width”?"),
    ("text CONTIANS \"a\"", "Did you mean “CONTAINS”?"),
    ("lowercased(text) == \"a\"", "Did you mean “lowercase”?"),
    ("width > 1", "Did you mean “photos.width”?"),
    ("filenme == \"a\"", "Did you mean “photos.filename”?"),
    ("tags.count > 1", "Did you mean “@count”?"), ("photos.count > 1", "Did you mean “@count”?"),
    ("photos.favorite == YES", "Did you mean “note.favorite”?"),
  ])
  func `a misspelt name is answered with the nearest`(format: String, suggestion: String) {
    #expect(refusal(format)?.recoverySuggestion == suggestion)
  }

  @Test(arguments: [
    ("date >= \"2024-01-01\"", "dates come as arguments, for %@"),
    ("SUBQUERY(photos, $p, $p.width > 1) > 0", "by its @count"), ("photos == nil", "by its @count"),
    ("1 < ANY photos.width", "ANY stands before the whole comparison"),
    ("text IS NULL", "write == nil"), ("label NOT IN {\"a\"}", "NOT stands before"),
    ("SUBQUERY(tags, $t, $t.size > 1).@count > 0", "not a field of a string"),
    ("favorite", "A comparison operator such as =="),
  ])
  func `a refusal says how it is written instead`(format: String, advice: String) {
    #expect(refusal(format)?.errorDescription?.contains(advice) == true)
  }

  @Test(arguments: Nesting.allCases)
  func `fifty levels work in both engines, and thousands are refused`(nesting: Nesting) throws {
    for depth in [50, 100] {
      let predicate = try Query.Predicate(nesting.format(depth), on: .note)
      let ids = try ConformanceSuite.archive.idsInMemory(predicate)
      #expect(try ConformanceSuite.archive.idsInSQL(predicate) == ids)
      #expect(try Query.Predicate(predicate.format, on: .note) == predicate)
    }
    #expect(refusal(nesting.format(5_000))?.problem == .tooDeep)
  }

  @Test func `a placeholder between quotes is said to be text`() {
    let sentence = refusal("text LIKE \"*%@*\"", "a")?.errorDescription
    #expect(sentence?.contains("between quotes, %@ is text") == true)
    #expect(refusal("text LIKE \"a\"", "a")?.errorDescription?.contains("quotes") == false)
  }

  @Test func `an argument is never parsed`() throws {
    let predicate = try Query.Predicate(
      "text == %@", arguments: [.string("\" OR TRUEPREDICATE OR \"")], on: .note)
    #expect(predicate == .equal("text", "\" OR TRUEPREDICATE OR \""))
  }

  @Test func `the numbers at the ends of 64 bits are read and printed`() throws {
    for number in [Int64.min, .max] {
      let predicate = try Query.Predicate("photoCount > \(number)", on: .note)
      #expect(
        predicate == .comparison(.init(.path("photoCount"), .greater, .value(.integer(number)))))
      #expect(try Query.Predicate(predicate.format, on: .note) == predicate)
    }
    #expect(refusal("photoCount > 9223372036854775808") != nil)
    #expect(refusal("photoCount > -9223372036854775809") != nil)
  }

  @Test func `a predicate built from cases is checked like a format`() {
    #expect(throws: Query.Problem.self) {
      try Query.Evaluator(.equal("titel", "a"), on: .note)
    }
    #expect(throws: Query.Problem.self) {
      try Query.SQL.condition(.equal("text", 5), on: .note, alias: "n")
    }
  }

  // The corpus is the suite: cut, doubled, and with characters of the language thrown in.
  @Test func `a mutated format is read or refused, and quickly`() throws {
    var random = SplitMix(seed: 5)
    let formats = ConformanceSuite.cases.map(\.format).filter { $0.count < 300 }
    let pieces = [
      "(", ")", "\"", "'", "%@", "%K", "$p", "{", "}", "[", "]", "@", ".", "#", "\\", " NOT ",
      " AND ", "-", "0x", "\u{301}", "\0", "SUBQUERY(", "ANY ", "1e999", "🎉",
    ]
    var read = 0
    for _ in 0..<5_000 {
      var scalars = Array((formats.randomElement(using: &random) ?? "").unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let start = Int.random(in: 0...scalars.count, using: &random)
        let end = min(scalars.count, start + Int.random(in: 0...4, using: &random))
        let piece = pieces.randomElement(using: &random) ?? ""
        scalars.replaceSubrange(start..<end, with: piece.unicodeScalars)
      }
      var format = String.UnicodeScalarView()
      format.append(contentsOf: scalars)
      do throws(Query.FormatError) {
        let predicate = try Query.Predicate(
          String(format), arguments: format.contains("%") ? ["text"] : [], variables: ["p": "a"],
          on: .note)
        read += 1
        #expect(try Query.Predicate(predicate.format, on: .note) == predicate)
      } catch {
        #expect(error.column >= 1 && error.column <= scalars.count + 1)
      }
    }
    #expect(read > 100)
  }
}

/// A way to nest a predicate as deep as one likes.
enum Nesting: CaseIterable {
  case parentheses, negations, connectivesBefore, connectivesAfter, calls, signs, sums
  case aggregates, negatedGroups

  func format(_ depth: Int) -> String {
    switch self {
    case .parentheses: wrap("text == \"\"", depth, "(", ")")
    case .negations: wrap("text == \"\"", depth, "NOT ", "")
    case .connectivesBefore:
      wrap("favorite == YES", depth / 2, "((", ") AND memo != \"x\") OR memo == \"y\"")
    case .connectivesAfter:
      wrap("favorite == YES", depth / 2, "memo != \"x\" AND (memo == \"y\" OR (", "))")
    case .calls: wrap("text", depth, "lowercase(", ")") + " == \"\""
    case .signs: wrap("photoCount", depth, "-", "") + " <= 9"
    case .sums: wrap("photoCount", depth, "1 + (", ")") + " > 0"
    case .aggregates: wrap("photoCount", depth, "photos.@count + (", ")") + " > 0"
    case .negatedGroups: wrap("memo == nil", depth / 2, "NOT (ANY tags == \"a\" AND ", ")")
    }
  }

  private func wrap(_ text: String, _ depth: Int, _ before: String, _ after: String) -> String {
    String(repeating: before, count: depth) + text + String(repeating: after, count: depth)
  }
}

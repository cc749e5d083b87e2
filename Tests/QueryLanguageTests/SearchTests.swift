import QueryLanguage
import TestSupport
import Testing

/// What a search index may rely on.
@Suite struct SearchTests {
  @Test(arguments: [
    ("w", ["w"]), ("wo", ["wo"]), ("words", ["wor", "ord", "rds"]), ("東", ["東"]),
    ("東京タ", ["東京", "京タ"]), ("aaaa", ["aaa"]), ("ab東", ["ab", "b東"]), ("", []),
    ("a b", ["a\u{E020}b"]), ("\"", ["\u{E022}"]), ("n東cd", ["n東", "東c", "cd"]),
  ])
  func `a search asks for these words`(folded: String, expected: [String]) {
    #expect(Query.Grams.needed(for: folded) == expected)
  }

  @Test func `the index has every word that a search for a part of the text asks for`() {
    for text in ["the harbour at 5", "東京タワーの夜景 at night", "a", "aaa", "「東京」", "x\ny"] {
      let all = Set(Query.Grams.all(of: text))
      let scalars = Array(text.unicodeScalars)
      for start in scalars.indices {
        for end in start..<scalars.count {
          var part = String.UnicodeScalarView()
          part.append(contentsOf: scalars[start...end])
          #expect(all.isSuperset(of: Query.Grams.needed(for: String(part))))
        }
      }
    }
  }

  @Test(
    arguments: [
      ("text CONTAINS[cd] \"Café\"", .has("cafe", in: "text")),
      ("NOT NOT memo BEGINSWITH \"Straße\"", .has("strasse", in: "memo")),
      ("ANY photos.filename ENDSWITH[c] \".JPG\"", .has(".jpg", in: "photos.filename")),
      ("label == \"x\" AND favorite == YES", .has("x", in: "label")),
      ("label == \"x\" OR favorite == YES", .unknown),
      ("NOT (text CONTAINS \"a\")", .unknown), ("text != \"a\"", .unknown),
      ("NOT (NOT text CONTAINS \"a\" OR favorite == NO)", .has("a", in: "text")),
      (
        "\"a\" IN tags OR tags CONTAINS \"b\"",
        .any([.has("a", in: "tags"), .has("b", in: "tags")])
      ),
      ("text LIKE \"*ab?cd*\"", .all([.has("ab", in: "text"), .has("cd", in: "text")])),
      ("label IN {\"a\", nil, \"b\"}", .any([.has("a", in: "label"), .has("b", in: "label")])),
      ("ALL tags == \"a\"", .unknown), ("text MATCHES \"a\"", .unknown), ("text == \"\"", .unknown),
      ("lowercase(text) == \"a\"", .unknown), ("FALSEPREDICATE", .any([])),
      ("text CONTAINS \"\u{301}\"", .unknown),
    ] as [(String, Query.TextCondition)])
  func `a predicate says what the text has to have`(
    format: String, expected: Query.TextCondition
  ) throws {
    #expect(try Query.Predicate(format, on: .note).textCondition == expected)
  }

  // Not a proof, but the words and their neighbours meet every rule of folding.
  @Test func `what a text has in it, its folded form has too`() throws {
    var random = SplitMix(seed: 11)
    var found = 0
    for _ in 0..<4_000 {
      let text = (0..<3).compactMap { _ in TestNote.words.randomElement(using: &random) }.joined()
      let scalars = Array(text.unicodeScalars)
      let start = Int.random(in: 0...scalars.count, using: &random)
      let end = Int.random(in: start...scalars.count, using: &random)
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[start..<end])
      guard let needle = Query.Folding.indexed(part: String(view)) else { continue }
      let whole = Array(Query.Folding.index(text).unicodeScalars)
      for options in Query.TextOptions.everySet {
        guard try TextMatcher(.contains, String(view), options: options).matches(text) else {
          continue
        }
        found += 1
        #expect(whole.contains(Array(needle.unicodeScalars)), "\(text) has \(String(view))")
      }
    }
    #expect(found > 2_000)
  }

  // Over records rather than words: no candidate is lost, whatever the predicate.
  @Test func `no record that a predicate selects fails its text condition`() throws {
    var random = SplitMix(seed: 12)
    let notes = (0..<60).map { TestNote.random($0, using: &random) }
    var generator = PredicateGenerator(
      .note, strings: TestNote.words, numbers: [0, 1, 2], dates: notes.prefix(5).map(\.date),
      seed: 4)
    var known = 0
    for _ in 0..<3_000 {
      let predicate = generator.predicate()
      let condition = predicate.textCondition
      if condition == .unknown { continue }
      known += 1
      let evaluator = try Query.Evaluator(predicate, on: .note)
      for note in notes where try evaluator.matches(note) {
        #expect(note.satisfies(condition), "\(predicate.format) selects \(note)")
      }
    }
    #expect(known > 300)
  }
}

extension TestNote {
  fileprivate func satisfies(_ condition: Query.TextCondition) -> Bool {
    switch condition {
    case .unknown: true
    case .all(let parts): parts.allSatisfy(satisfies)
    case .any(let parts): parts.contains(where: satisfies)
    case .has(let part, let path):
      texts(under: path).contains { text in
        Array(Query.Folding.index(text).unicodeScalars).contains(Array(part.unicodeScalars))
      }
    }
  }

  private func texts(under path: Query.Path) -> [String] {
    switch path {
    case "id": [id]
    case "text": [text]
    case "memo": memo.map { [$0] } ?? []
    case "label": label.map { [$0] } ?? []
    case "tags": tags
    case "photos.filename": photos.map(\.filename)
    case "photos.format": photos.map(\.format)
    default: photos.isEmpty ? [] : [id, text, memo ?? "", label ?? ""] + tags
    }
  }
}

import FoundationEssentials
import QueryLanguage
import SQLite
import TestSupport

@testable import NoteArchive

/// Makes notes and predicates that meet often, from words that are hard to search for.
struct NoteMaker {
  var random: SplitMix

  static let words = [
    "rain", "Rain", "RAINY", "a", "café", "cafe\u{301}", "Straße", "strasse", "İstanbul",
    "istanbul",
    "ΌΔΟΣ", "οδος", "京都", "京", "東京都", "の", "が", "か\u{3099}", "パン", "パ", "ハ\u{309A}ン", "ｶﾞ", "ﬁn",
    "한국", "각", "가", "e", "é", "e\u{301}x", "50%", "a_b", "\"q\"", "it's", "*", "?", "IMG_0001.JPG",
    "x\u{1F}y", "\u{301}", "🏔️", "👨‍👩‍👧", "\n", "ǰ", "ŉ", "\u{0}n", "龘", "nö\u{323}n",
    "no\u{323}\u{308}n",
  ]

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  mutating func text() -> String {
    (0..<Int.random(in: 0...5, using: &random))
      .map { _ in pick(Self.words) }
      .joined(separator: pick([" ", ""]))
  }

  /// A word, or a piece of one.
  mutating func needle() -> String {
    let scalars = Array(text().unicodeScalars)
    guard scalars.count > 1, Bool.random(using: &random) else {
      return pick(Self.words)
    }
    let start = Int.random(in: 0..<scalars.count, using: &random)
    let end = Int.random(in: start..<min(scalars.count, start + 5), using: &random)
    return String(String.UnicodeScalarView(scalars[start...end]))
  }

  /// Milliseconds, so close together that seconds and even instants are shared.
  mutating func moment() -> Moment {
    Moment(
      milliseconds: pick([-62_000_000_000, 0, 1_700_000_000_000])
        + Int.random(in: -3...3, using: &random) * 500,
      utcOffset: pick([nil, 0, 32_400, -43_200]))
  }

  mutating func note(photos digests: [ContentDigest]) -> Note {
    var note = Note(
      text: text(), memo: Bool.random(using: &random) ? text() : nil,
      label: pick(["red", "blue", "京", nil]),
      favorite: Int.random(in: 0..<4, using: &random) == 0, moment: moment())
    note.tags = tags()
    note.photos = photos(of: digests)
    return note
  }

  mutating func tags() -> [String] {
    var tags: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let tag = pick(Self.words)
      if !tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) { tags.append(tag) }
    }
    return tags
  }

  mutating func photos(of digests: [ContentDigest]) -> [Photo] {
    (0..<Int.random(in: 0...2, using: &random)).map { index in
      Photo(
        position: index + 1, filename: text() + ".jpg",
        digest: pick(digests),
        properties: PhotoProperties(format: "jpeg", width: 1, height: 1, byteSize: 1))
    }
  }

  mutating func change(_ note: inout Note, photos digests: [ContentDigest]) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: note.text = text()
    case 1: note.memo = Bool.random(using: &random) ? text() : nil
    case 2: note.label = pick(["red", "blue", nil])
    case 3: note.tags = tags()
    case 4: note.moment = moment()
    default: note.photos = photos(of: digests)
    }
  }

  mutating func predicate(depth: Int = 3) -> Query.Predicate {
    let kind = depth == 0 ? 9 : Int.random(in: 0..<10, using: &random)
    switch kind {
    case 0, 1: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 2, 3: return .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 4: return .not(predicate(depth: depth - 1))
    case 5: return Catalog.mentions(needle())
    default: return comparison()
    }
  }

  private mutating func comparison() -> Query.Predicate {
    let options = Query.TextOptions(rawValue: Int.random(in: 0...3, using: &random))
    let instant = Query.Instant(millisecondsSince1970: Int64(moment().milliseconds))
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .equal("favorite", .bool(Bool.random(using: &random)))
    case 1: return .equal("label", pick(["red", "京", nil]))
    case 2:
      let paths: [Query.Path] = ["date", "localDate"]
      let operators: [Query.Operator] = [.less, .lessOrEqual, .greater, .greaterOrEqual, .equal]
      return .comparison(
        .init(
          .path(pick(paths)), pick(operators),
          .value(.date(instant))))
    case 3:
      let texts = (0..<3).map { _ in Query.Value.string(needle()) }
      return .comparison(.init(.path("text"), .in, .value(.list(texts)), options: options))
    case 4:
      return .comparison(
        .init(.value(.string(needle())), .in, .path(Bool.random(using: &random) ? "text" : "tags")))
    case 5:
      let quantifiers: [Query.Quantifier] = [.any, .all]
      let paths: [Query.Path] = ["tags", "photos.filename"]
      return .comparison(
        .init(
          .path(pick(paths)), textOperator(), .value(.string(needle())),
          quantifier: pick(quantifiers), options: options))
    default:
      let paths: [Query.Path] = ["text", "memo", "label"]
      return .comparison(
        .init(
          .path(pick(paths)), textOperator(), .value(.string(pattern())),
          options: options))
    }
  }

  private mutating func pattern() -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: "*" + needle() + "*"
    case 1: needle() + "*" + needle()
    case 2: "?" + needle() + "*"
    default: needle()
    }
  }

  private mutating func textOperator() -> Query.Operator {
    pick([.contains, .contains, .beginsWith, .endsWith, .like, .equal, .notEqual])
  }

  mutating func sortDescriptors() -> [Query.SortDescriptor] {
    let keys: [Query.Path] = ["date", "date", "date", "text", "createdAt", "modifiedAt"]
    return [
      .init(pick(keys), ascending: Bool.random(using: &random))
    ]
  }
}

extension Archive {
  /// Makes `count` originals of no content.
  func addEmptyOriginals(_ count: Int) throws -> [ContentDigest] {
    let digests = (0..<count).map { SHA256.hash(data: [UInt8($0)]) }
    try write { connection throws(DatabaseError) in
      for digest in digests {
        try connection.run(
          """
          INSERT INTO original(digest, byte_size, format, width, height, damaged)
          VALUES (?,1,'jpeg',1,1,0)
          """, [.blob(digest.bytes)])
      }
    }
    return digests
  }

  /// The notes that a look at each one finds.
  func idsByScan(_ query: NoteQuery) throws -> [NoteID] {
    let sql = try query.sql()
    return try read { connection throws(DatabaseError) in
      let rows = try connection.rows(sql) { $0.int(0) }
      var ids: [NoteID] = []
      for row in rows {
        if let note = try NoteStore.note(row: row, &connection) { ids.append(note.id) }
      }
      return ids
    }
  }

  func source(of query: NoteQuery, isCount: Bool = false) throws -> NotePlan.Source {
    let initial = try NotePlan(query)
    return try read { connection throws(DatabaseError) in
      var plan = initial
      return try plan.source(isCount: isCount, &connection)
    }
  }
}

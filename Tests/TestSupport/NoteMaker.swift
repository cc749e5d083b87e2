import FoundationEssentials
package import NoteArchive
package import QueryLanguage

/// Makes notes of words that are hard to search for, few enough for notes to meet often.
package struct NoteMaker {
  package var random: SplitMix

  /// Makes notes out of `random`, the same ones each time.
  package init(random: SplitMix) { self.random = random }

  /// Words of many scripts in composed and decomposed forms, signs that are special somewhere, and
  /// characters of one or of many code points.
  package static let words = [
    "rain", "Rain", "RAINY", "a", "café", "cafe\u{301}", "Straße", "strasse", "İstanbul",
    "istanbul",
    "ΌΔΟΣ", "οδος", "京都", "京", "東京都", "の", "が", "か\u{3099}", "パン", "パ", "ハ\u{309A}ン", "ｶﾞ", "ﬁn",
    "한국", "각", "가", "e", "é", "e\u{301}x", "50%", "a_b", "\"q\"", "it's", "*", "?", "IMG_0001.JPG",
    "x\u{1F}y", "\u{301}", "🏔️", "👨‍👩‍👧", "\n", "ǰ", "ŉ", "\u{0}n", "龘", "nö\u{323}n",
    "no\u{323}\u{308}n",
  ]

  /// One of `choices`.
  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  /// None to five words, with and without spaces.
  package mutating func text() -> String {
    (0..<Int.random(in: 0...5, using: &random))
      .map { _ in pick(Self.words) }
      .joined(separator: pick([" ", ""]))
  }

  /// A word, or a piece of one.
  package mutating func needle() -> String {
    let scalars = Array(text().unicodeScalars)
    guard scalars.count > 1, Bool.random(using: &random) else {
      return pick(Self.words)
    }
    let start = Int.random(in: 0..<scalars.count, using: &random)
    let end = Int.random(in: start..<min(scalars.count, start + 5), using: &random)
    return String(String.UnicodeScalarView(scalars[start...end]))
  }

  /// An instant of few, so close together that seconds are shared too, with or without an offset.
  package mutating func moment() -> Moment {
    Moment(
      milliseconds: pick([-62_000_000_000, 0, 1_700_000_000_000])
        + Int.random(in: -3...3, using: &random) * 500,
      utcOffset: pick([nil, 0, 32_400, -43_200]))
  }

  /// A note, which may have photos of these originals.
  package mutating func note(photos digests: [ContentDigest]) -> Note {
    let created = moment().date
    var note = Note(
      id: NoteID(bytes: (0..<16).map { _ in .random(in: 0...255, using: &random) }) ?? NoteID(),
      text: text(), memo: Bool.random(using: &random) ? text() : nil,
      label: pick(["red", "blue", "京", nil]),
      favorite: Int.random(in: 0..<4, using: &random) == 0, moment: moment(),
      createdAt: created, modifiedAt: pick([created, moment().date]))
    note.tags = tags()
    note.photos = photos(of: digests)
    return note
  }

  /// None to two tags.
  package mutating func tags() -> [String] {
    var tags: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let tag = pick(Self.words)
      if !tags.contains(where: { $0.utf8.elementsEqual(tag.utf8) }) { tags.append(tag) }
    }
    return tags
  }

  /// None to two photos, of which an archive takes the names alone: it knows the originals.
  package mutating func photos(of digests: [ContentDigest]) -> [Photo] {
    (0..<Int.random(in: 0...2, using: &random)).map { index in
      Photo(
        position: index + 1, filename: text() + ".jpg",
        digest: pick(digests),
        properties: PhotoProperties(format: "jpeg", width: 1, height: 1, byteSize: 1))
    }
  }

  /// Changes one thing about a note.
  package mutating func change(_ note: inout Note, photos digests: [ContentDigest]) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: note.text = text()
    case 1: note.memo = Bool.random(using: &random) ? text() : nil
    case 2: note.label = pick(["red", "blue", nil])
    case 3: note.tags = tags()
    case 4: note.moment = moment()
    default: note.photos = photos(of: digests)
    }
  }

  /// What an original may say of itself: of a few sizes, cameras and places, or of none.
  package mutating func properties() -> PhotoProperties {
    let isPlaced = Bool.random(using: &random)
    return PhotoProperties(
      format: pick(["jpeg", "png"]), width: pick([1, 640, 3024, 4032]),
      height: pick([1, 480, 4032]),
      byteSize: pick([1, 20_000, 5_000_000_000]), taken: pick([nil, moment()]),
      damaged: Int.random(in: 0..<8, using: &random) == 0, cameraMake: pick([nil, "Canon", "京"]),
      cameraModel: pick([nil, "", "α7 Ⅲ"]),
      latitude: isPlaced ? Double.random(in: -90...90, using: &random) : nil,
      longitude: isPlaced ? pick([-180, -0.25, 0, 139.75]) : nil)
  }

  /// Stores originals of a byte or two that claim to be photos, in a session of their own.
  package mutating func addOriginals(
    _ count: Int, to archive: Archive
  ) throws -> [ContentDigest] {
    let session = try ImportSession.begin(on: archive)
    let digests = try (0..<count).map { number in
      var rest = Array(String(number).utf8)[...]
      let digest = SHA256.hash(data: Array(rest))
      _ = try session.store(
        NewOriginal(digest: digest, properties: properties()), thumbnail: nil,
        of: .init(number: number, path: Array(rest), filename: "\(number)"), allowDuplicate: false
      ) { buffer in
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest.removeFirst(part.count)
        return part.count
      }
      return digest
    }
    try session.finish(ignored: 0, duplicate: 0)
    return digests
  }
}

extension NoteMaker {
  /// What makes predicates about such notes, or their photos, over all the fields of both.
  package mutating func predicateGenerator(
    about entity: Query.Entity = Catalog.note
  ) -> PredicateGenerator {
    PredicateGenerator(
      entity,
      strings: Self.words + (0..<30).map { _ in needle() }
        + ["red", "blue", "jpeg", "png", "Canon", "α7 Ⅲ", ".jpg", "rain rain", "7", "-4", "e3b0"],
      numbers: [0, 1, 2, -1, 1.5, true, 640, 4032, 20_000, 5_000_000_000, 139.75, -0.25],
      dates: (0..<12).map { _ in Query.Instant(moment().date) }, seed: random.next())
  }

  /// An order of up to two keys, mostly with ties.
  package mutating func order() -> [Query.SortDescriptor] {
    let paths: [Query.Path] = [
      "id", "text", "memo", "label", "favorite", "date", "localDate", "createdAt", "modifiedAt",
      "photoCount", "tags.@count", "photos.@max.width",
    ]
    return (0..<Int.random(in: 0...2, using: &random)).map { _ in
      .init(pick(paths), ascending: Bool.random(using: &random))
    }
  }

  /// A predicate of `generator`, one in three with a search for a word, which the index answers.
  package mutating func predicate(
    from generator: inout PredicateGenerator, depth: Int
  ) -> Query.Predicate {
    let predicate = generator.predicate(depth: depth)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .and([Catalog.mentions(needle()), predicate])
    case 1: return .or([Catalog.mentions(needle()), .contains("text", needle(), options: [])])
    default: return predicate
    }
  }
}

import QueryLanguage
import SQLite
import TestSupport

@testable import NoteArchive

/// Predicates that the search index has to answer, and orders of the answers.
extension NoteMaker {
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

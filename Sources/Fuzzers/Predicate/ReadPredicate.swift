import QueryLanguage

/// Reads any bytes as a predicate; one that is read is printed, read again, evaluated and compiled.
@_cdecl("LLVMFuzzerTestOneInput")
public func readPredicate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let format = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  // Each is an argument for one of the placeholders, and few formats have another number of them.
  let arguments: [Query.Value] = ["text", "a", 1]
  let placeholderCount = format.utf8.count { $0 == UInt8(ascii: "%") }
  guard
    let predicate = try? Query.Predicate(
      format, arguments: Array(arguments.prefix(placeholderCount)), variables: ["n": "a"],
      on: .note)
  else { return 0 }
  do {
    let again = try Query.Predicate(predicate.format, on: .note)
    precondition(again == predicate, "\(predicate.format) reads as \(again.format)")
    _ = try Query.SQL.condition(predicate, on: .note, alias: "n")
    let both = [
      try Query.Evaluator(predicate, on: .note), try Query.Evaluator(.not(predicate), on: .note),
    ]
    let held = try both.filter { try $0.matches(Note()) }.count
    precondition(held == 1, "\(predicate.format) and its negation")
  } catch Query.Problem.slowRegularExpression {
  } catch {
    // Printing may nest deeper than what was read, at the limit of what is read.
    precondition("\(error)".contains("nested"), "\(predicate.format): \(error)")
  }
  return 0
}

extension Query.Entity {
  fileprivate static let note: Query.Entity = .init(
    "note", table: "note", identity: ["@.id"],
    fields: [
      .scalar("text", .string, "Text."), .scalar("memo", .string, nullable: true, "A memo."),
      .scalar("favorite", .boolean, "A mark."), .scalar("date", .date, "A date."),
      .scalar("width", .integer, "A number."),
      Query.Field(
        "tags",
        .scalars(
          .string, column: "@.name", .init(table: "tag", join: "@.note = ^.id", order: ["@.id"])),
        "Tags."),
      Query.Field(
        "photos", .toMany({ .note }, .init(table: "note", join: "@.owner = ^.id", order: ["@.id"])),
        "Photos."),
      Query.Field(
        "note", .toOne({ .note }, .init(table: "note", join: "@.id = ^.owner")), "Its note."),
    ])
}

private struct Note: Query.Record {
  var level = 0

  func value(for field: String) -> Query.RecordValue {
    switch field {
    case "text": .value("Straße café \u{1F389}")
    case "favorite": .value(true)
    case "date": .value(.date(.init(millisecondsSince1970: -1)))
    case "width": .value(4032)
    case "tags": .values(["a", "B", "が"])
    case "photos": .records(level < 2 ? [Note(level: level + 1), Note(level: level + 1)] : [])
    case "note": .record(level == 0 ? nil : Note(level: level - 1))
    default: .value(.null)
    }
  }
}

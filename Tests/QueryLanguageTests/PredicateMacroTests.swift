import Foundation
import QueryLanguage
import Testing

/// A `#Predicate` and a format that state the same give the same notes.
@Suite struct PredicateMacroTests {
  private func check(
    _ macro: Foundation.Predicate<ModelNote>, _ format: String, _ arguments: Query.Value...
  ) throws {
    let predicate = try Query.Predicate(macro)
    let expected = try ConformanceSuite.archive.idsInMemory(
      Query.Predicate(format, arguments: arguments, on: .note))
    #expect(try ConformanceSuite.archive.idsInMemory(predicate) == expected, "\(predicate.format)")
    #expect(try ConformanceSuite.archive.idsInSQL(predicate) == expected, "\(predicate.format)")
    // What Foundation itself says of the same notes.
    let notes = ConformanceSuite.archive.notes
    #expect(try notes.filter { try macro.evaluate(ModelNote($0)) }.map(\.id) == expected)
    #expect(!expected.isEmpty && expected.count < notes.count)
  }

  @Test func `comparisons and connectives`() throws {
    let word = "archive"
    try check(
      #Predicate { $0.favorite && $0.text.contains(word) }, "favorite == YES AND text CONTAINS %@",
      "archive")
    try check(#Predicate { $0.photoCount > 2 || !$0.favorite }, "photoCount > 2 OR favorite == NO")
    try check(
      #Predicate { !($0.favorite || $0.photoCount == 1) },
      "NOT (favorite == YES OR photoCount == 1)")
    try check(#Predicate { $0.text.starts(with: "Winter") }, "text BEGINSWITH \"Winter\"")
    try check(#Predicate { $0.text.isEmpty }, "text == \"\"")
    try check(
      #Predicate { $0.favorite == ($0.photoCount > 0) },
      "(favorite == YES AND photoCount > 0) OR (favorite == NO AND photoCount == 0)")
  }

  @Test func `optionals`() throws {
    let memo: String? = "same"
    try check(#Predicate { $0.memo == nil }, "memo == nil")
    try check(#Predicate { $0.memo == memo }, "memo == \"same\"")
    try check(#Predicate { $0.memo != "same" }, "memo != \"same\"")
    try check(#Predicate { ($0.memo ?? "a").contains("a") }, "memo == nil OR memo CONTAINS \"a\"")
    try check(#Predicate { $0.memo?.contains("a") == true }, "memo CONTAINS \"a\"")
    try check(
      #Predicate { $0.memo?.contains("a") == false }, "memo != nil AND NOT memo CONTAINS \"a\"")
    try check(#Predicate { ($0.memo?.contains("a") ?? true) }, "memo == nil OR memo CONTAINS \"a\"")
    try check(
      #Predicate { if let memo = $0.memo { memo.contains("a") } else { $0.favorite } },
      "memo CONTAINS \"a\" OR (memo == nil AND favorite == YES)")
    try check(
      #Predicate { $0.photoCount > 1 ? $0.favorite : $0.text.isEmpty },
      "(photoCount > 1 AND favorite == YES) OR (photoCount <= 1 AND text == \"\")")
  }

  @Test func `an empty text is in every text, as Swift has it`() throws {
    let empty = ""
    let predicate = try Query.Predicate(#Predicate<ModelNote> { $0.text.contains(empty) })
    #expect(try ConformanceSuite.archive.idsInMemory(predicate).count == 44)
    #expect(try ConformanceSuite.archive.idsInSQL(predicate).count == 44)
  }

  @Test func `collections`() throws {
    let labels: Set<String?> = ["food", "Food"]
    let names = ["food", "travel"]
    try check(#Predicate { $0.tags.contains("food") }, "\"food\" IN tags")
    try check(#Predicate { labels.contains($0.label) }, "label IN {\"food\", \"Food\"}")
    try check(#Predicate { names.contains($0.label ?? "") }, "label IN {\"food\", \"travel\"}")
    try check(#Predicate { $0.photos.contains { $0.width > 5000 } }, "ANY photos.width > 5000")
    try check(#Predicate { $0.photos.allSatisfy { $0.width > 3000 } }, "ALL photos.width > 3000")
    try check(
      #Predicate { $0.photos.filter { $0.width > 1500 && $0.format == "jpeg" }.count > 1 },
      "SUBQUERY(photos, $p, $p.width > 1500 AND $p.format == \"jpeg\").@count > 1")
    try check(#Predicate { $0.photos.isEmpty }, "photos.@count == 0")
    try check(#Predicate { $0.photos.count == 2 }, "photos.@count == 2")
    try check(#Predicate { $0.tags.first == "archive" }, "tags[FIRST] == \"archive\"")
    try check(#Predicate { $0.tags.max() == "work" }, "tags.@max == \"work\"")
    try check(#Predicate { $0.tags.contains { $0.starts(with: "s") } }, "ANY tags BEGINSWITH \"s\"")
    try check(
      #Predicate { note in note.photos.contains { $0.width > note.photoCount * 1500 } },
      "SUBQUERY(photos, $p, $p.width > photoCount * 1500).@count > 0")
    try check(
      #Predicate { $0.photos.contains { $0.takenAt == nil } }, "ANY photos.takenAt == nil")
  }

  @Test func `numbers and dates`() throws {
    let start = Date(timeIntervalSinceReferenceDate: 694_224_000)  // 2023
    let end = Date(timeIntervalSinceReferenceDate: 725_760_000)  // 2024
    let bounds: [Query.Value] = [.date(.init(start)), .date(.init(end))]
    try check(#Predicate { $0.photoCount + 1 > 3 }, "photoCount + 1 > 3")
    try check(#Predicate { -$0.photoCount < -2 }, "-photoCount < -2")
    try check(#Predicate { $0.photoCount * 2 - 1 == 3 }, "photoCount * 2 - 1 == 3")
    try check(#Predicate { $0.photoCount % 2 == 1 }, "modulus:by:(photoCount, 2) == 1")
    try check(#Predicate { $0.photoCount / 2 == 1 }, "trunc(photoCount / 2) == 1")
    try check(#Predicate { $0.date > end }, "date > %@", bounds[1])
    try check(
      #Predicate { (start...end).contains($0.date) }, "date BETWEEN {%@, %@}", bounds[0], bounds[1])
    try check(
      #Predicate { (start..<end).contains($0.date) }, "date >= %@ AND date < %@", bounds[0],
      bounds[1])
  }

  @Test func `what has no counterpart is named`() {
    let untranslatable: [(Foundation.Predicate<ModelNote>, String)] = [
      (#Predicate { $0.text.count > 3 }, "of a text"),
      (#Predicate { $0.initial == "a" }, "no field of note"),
      (#Predicate { ($0.memo as Any?) is String }, "TypeCheck"),
    ]
    for (predicate, name) in untranslatable {
      let problem = #expect(throws: Query.Problem.self) { try Query.Predicate(predicate) }
      #expect(problem?.errorDescription?.contains(name) == true, "\(problem as Any)")
    }
  }

  @Test func `a sort descriptor orders by the field of its property`() throws {
    let descriptor = SortDescriptor(\ModelNote.date, order: .reverse)
    #expect(try Query.SortDescriptor(descriptor) == .init("date", ascending: false))
    #expect(throws: Query.Problem.self) {
      try Query.SortDescriptor(SortDescriptor(\ModelNote.initial))
    }
  }

  @Test func `the predicate that comes out is the one a person would write`() throws {
    let predicate = try Query.Predicate(
      #Predicate<ModelNote> { $0.favorite && $0.memo?.contains("a") == true })
    #expect(predicate.format == "favorite == YES AND (memo != nil AND memo CONTAINS \"a\")")
  }
}

/// The notes as the model of an app.
struct ModelNote: Query.Model {
  var text: String
  var memo: String?
  var label: String?
  var tags: [String]
  var favorite: Bool
  var date: Date
  var photoCount: Int
  var photos: [ModelPhoto]
  var initial: String { String(text.prefix(1)) }

  init(_ note: TestNote) {
    (text, memo, label, tags) = (note.text, note.memo, note.label, note.tags)
    (favorite, date, photoCount) = (note.favorite, note.date.date, note.photos.count)
    photos = note.photos.map {
      ModelPhoto(width: Int($0.width), format: $0.format, takenAt: $0.takenAt?.date)
    }
  }

  static var entity: Query.Entity { .note }
  static var fieldNames: [PartialKeyPath<Self>: String] {
    [
      \.text: "text", \.memo: "memo", \.label: "label", \.tags: "tags", \.favorite: "favorite",
      \.date: "date", \.photoCount: "photoCount", \.photos: "photos",
    ]
  }
}

struct ModelPhoto: Query.Model {
  var width: Int
  var format: String
  var takenAt: Date?

  static var entity: Query.Entity { .photo }
  static var fieldNames: [PartialKeyPath<Self>: String] {
    [\.width: "width", \.format: "format", \.takenAt: "takenAt"]
  }
}

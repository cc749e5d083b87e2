import Foundation
import NoteArchive
import QueryLanguage
import TestSupport
import Testing

/// What a predicate means in memory and what it selects in the archive are the same.
@Suite struct TwoEnginesTests {
  private static func notes() -> [Note] {
    ["雨の音", "Rain on the roof", "café, crème", "", "straße\nRAIN"].enumerated().map {
      index, text in
      Note(
        text: text, memo: index % 2 == 0 ? nil : "memo \(index)",
        label: [nil, "a", "B"][index % 3], tags: index == 1 ? ["rain", "Ünïcode"] : [],
        favorite: index > 2,
        moment: Moment(
          milliseconds: index * 86_400_123, utcOffset: [nil, 32_400, -12_600][index % 3]))
    }
  }

  private func archive() throws -> (Archive, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let archive = try Archive.openOrCreate(at: folder.path)
    for note in Self.notes() { try archive.save(note) }
    return (archive, folder)
  }

  private func check(_ predicate: Query.Predicate) throws {
    let (archive, _) = try archive()
    let all = try archive.notes()
    let evaluator = try Query.Evaluator(predicate, on: Catalog.note)
    let inMemory = try all.filter { try evaluator.matches($0, now: .now) }
    #expect(try archive.notes(NoteQuery(predicate)) == inMemory, "\(predicate.format)")
    #expect(try archive.count(predicate) + archive.count(.not(predicate)) == all.count)
  }

  @Test(arguments: [
    "text CONTAINS[cd] 'rain'", "NOT memo == 'memo 1'", "ANY tags BEGINSWITH[d] 'U'",
    "label != nil",
    "id CONTAINS '-7'", "localDate > CAST(-978307200, 'NSDate')", "photoCount == 0",
    "label == 'a' OR favorite == YES", "ALL photos.width > 5", "text == ''", "NONE tags == 'rain'",
  ])
  func `a format holds for the same notes in both`(format: String) throws {
    try check(try Query.Predicate(format, on: Catalog.note))
  }

  @Test func `random predicates select what they hold for, and their negations all the rest`()
    async throws
  {
    let folder = try TemporaryFolder()
    let archive = try Archive.openOrCreate(at: folder.path)
    var maker = NoteMaker(random: SplitMix(seed: 11))
    let originals = try maker.addOriginals(30, to: archive)
    try archive.save((0..<2000).map { _ in maker.note(photos: originals) })
    var comparison = try EngineComparison(archive)
    var generator = maker.predicateGenerator()
    var (indexed, some) = (0, 0)
    for number in 0..<24 {
      let predicate = maker.predicate(from: &generator, depth: number % 4)
      let outcome = try await comparison.outcome(of: predicate, sortedBy: maker.order())
      #expect(outcome.disagreements.isEmpty, "\(predicate.format)")
      if outcome.search != nil { indexed += 1 }
      if 0 < outcome.matches, outcome.matches < comparison.noteCount { some += 1 }
    }
    #expect(comparison.noteCount == 2000 && indexed > 3 && some > 8)
  }

  @Test func `random predicates select the photos they hold for, and their negations the others`()
    throws
  {
    let folder = try TemporaryFolder()
    let archive = try Archive.openOrCreate(at: folder.path)
    var maker = NoteMaker(random: SplitMix(seed: 12))
    let originals = try maker.addOriginals(30, to: archive)
    try archive.save((0..<100).map { _ in maker.note(photos: originals) })
    // By the note and the position.
    var photos: [String: any Query.Record] = [:]
    for note in try archive.notes() {
      guard case .records(let records) = note.value(for: "photos") else { continue }
      for (photo, record) in zip(note.photos, records) {
        photos["\(note.id) \(photo.position)"] = record
      }
    }
    func selected(_ predicate: Query.Predicate) throws -> Set<String> {
      var names: Set<String> = []
      try archive.forEachPhoto(PhotoQuery(predicate)) { note, photo in
        names.insert("\(note) \(photo.position)")
      }
      return names
    }
    var generator = maker.predicateGenerator(about: Catalog.photo)
    var (indexed, some) = (0, 0)
    for number in 0..<100 {
      var predicate = generator.predicate(depth: number % 4)
      if number % 5 == 0 {
        let path: Query.Path = number % 2 == 0 ? "filename" : "note.text"
        predicate = .and([predicate, .contains(path, maker.needle())])
      }
      let evaluator = try Query.Evaluator(predicate, on: Catalog.photo)
      let held = try photos.filter { try evaluator.matches($0.value, now: .now) }.keys
      #expect(try selected(predicate) == Set(held), "\(predicate.format)")
      #expect(
        try selected(.not(predicate)) == Set(photos.keys).subtracting(held), "\(predicate.format)")
      #expect(try Query.Predicate(predicate.format, on: Catalog.photo) == predicate)
      if 0 < held.count, held.count < photos.count { some += 1 }
      if try archive.explanation(of: PhotoQuery(predicate)).search != nil { indexed += 1 }
    }
    #expect(photos.count > 60 && some > 15 && indexed > 10)
  }

  @Test func `#Predicate and SortDescriptor of Foundation ask the archive`() throws {
    let (archive, _) = try archive()
    let word = "RAIN"
    let predicate = try Query.Predicate(
      #Predicate<Note> { $0.favorite && $0.text.contains(word) || $0.memo == "memo 1" })
    let order = try Query.SortDescriptor(SortDescriptor(\Note.text, order: .reverse))
    let found = try archive.notes(NoteQuery(predicate, sortedBy: [order]))
    #expect(found.map(\.text) == ["straße\nRAIN", "Rain on the roof"])
    try check(predicate)
  }

  @Test func `every field of the catalog has its value in memory`() throws {
    let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 1, count: 32)))
    let photo = Photo(
      position: 1, filename: "a", digest: digest,
      properties: PhotoProperties(format: "png", width: 1, height: 1, byteSize: 2))
    let note = Note(moment: .now, photos: [photo])
    for field in Catalog.note.fields { _ = note.value(for: field.name) }
    guard case .records(let photos) = note.value(for: "photos") else {
      Issue.record("photos are records")
      return
    }
    for field in Catalog.photo.fields { _ = photos[0].value(for: field.name) }
  }
}

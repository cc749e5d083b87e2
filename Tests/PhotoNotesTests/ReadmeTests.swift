import NoteArchive
import QueryLanguage
import TestSupport
import Testing

@Suite struct ReadmeTests {
  @Test func `the library's example does what it says`() throws {
    let folder = try TemporaryFolder()
    let archive = try Archive.openOrCreate(at: folder.path + "/notes.photonotes")
    try archive.save(Note(text: "Rain on the roof", favorite: true, moment: .now))
    let rain = try Query.Predicate(
      "favorite == YES AND text CONTAINS[cd] %@", arguments: ["rain"], on: Catalog.note)
    let found = try archive.notes(NoteQuery(rain, limit: 50)).map { ($0.date, $0.text) }
    #expect(found.map(\.1) == ["Rain on the roof"])
  }
}

import QueryLanguage
import TestSupport
import Testing

@testable import NoteArchive

@Suite struct ExplanationTests {
  private let folder: TemporaryFolder
  private let archive: Archive

  init() throws {
    folder = try TemporaryFolder()
    archive = try Archive.openOrCreate(at: folder.path + "/a")
    let digests = try archive.addEmptyOriginals(2)
    for number in 0..<20 {
      var note = Note(
        text: number < 5 ? "rain on the 5th" : "sun?", favorite: number % 10 == 0,
        moment: Moment(milliseconds: number * 1000))
      note.photos = (1...2).map {
        Photo(
          position: $0, filename: "\(number)-\($0).jpg", digest: digests[$0 - 1],
          properties: PhotoProperties(format: "jpeg", width: 1, height: 1, byteSize: 1))
      }
      try archive.save(note)
    }
  }

  @Test func `a search is explained by what the index is asked for`() throws {
    let explanation = try archive.explanation(of: NoteQuery(.contains("text", "rain's"), limit: 3))
    #expect(explanation.predicate == "text CONTAINS[cd] \"rain's\"")
    #expect(explanation.search == "\"rai\" AND \"ain\" AND \"in\u{E027}\" AND \"n\u{E027}s\"")
    #expect(explanation.sql.contains("instr(d.text, 'rain''s') > 0"))
    #expect(explanation.steps.first == "SCAN s USING search_index")
    #expect(explanation.steps.count == 3)
    #expect((explanation.candidates, explanation.matches) == (0, 0))
    let rain = try archive.explanation(of: NoteQuery(Catalog.mentions("rain")))
    #expect((rain.candidates, rain.matches) == (5, 5))
  }

  @Test func `what the index can't tell is explained by SQLite's own plan`() throws {
    let favorites = try archive.explanation(of: NoteQuery(.equal("favorite", true)))
    #expect(favorites.search == nil)
    #expect(favorites.steps == ["SCAN n USING INDEX note_favorite"])
    #expect((favorites.candidates, favorites.matches) == (2, 2))
    let others = try archive.explanation(of: NoteQuery(.not(.contains("text", "rain"))))
    #expect((others.candidates, others.matches) == (20, 15))
  }

  @Test func `photos are rows of their own, selected by themselves and by their notes`() throws {
    var found: [String] = []
    let query = PhotoQuery(
      .comparison(.init(.path("position"), .equal, .value(2))),
      onNotes: Catalog.mentions("rain"), limit: 3)
    try archive.forEachPhoto(query) { _, photo in found.append(photo.filename) }
    #expect(found == ["4-2.jpg", "3-2.jpg", "2-2.jpg"])

    found = []
    let first = try #require(try archive.notes(NoteQuery(limit: 1)).first)
    _ = try archive.delete([first.id])
    let ofFavorites = PhotoQuery(
      .equal("note.favorite", true), sortedBy: [.init("filename", ascending: false)])
    try archive.forEachPhoto(ofFavorites) { id, photo in
      #expect(id != first.id)
      found.append(photo.filename)
    }
    #expect(found == ["10-2.jpg", "10-1.jpg", "0-2.jpg", "0-1.jpg"])
    found = []
    try archive.forEachPhoto { _, photo in found.append(photo.filename) }
    #expect(found.count == 38 && found.prefix(2) == ["18-1.jpg", "18-2.jpg"])
  }
}

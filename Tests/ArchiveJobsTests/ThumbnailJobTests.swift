import NoteArchive
import QueryLanguage
import TestSupport
import Testing

@testable import ArchiveJobs

@Suite struct ThumbnailJobTests {
  private func archive(_ count: Int) async throws -> Fixture {
    let fixture = try Fixture()
    for number in 0..<count {
      try fixture.folder.write(
        "source/\(number).png", SamplePNG.bytes(number, width: 90 + number, height: 60))
    }
    try await fixture.runImport()
    return fixture
  }

  private func thumbnails(_ fixture: Fixture) throws -> [StoredThumbnail] {
    try fixture.notes().flatMap(\.photos).compactMap {
      try fixture.archive.thumbnail(of: $0.digest)
    }
  }

  @Test func `a new size holds for the whole archive and makes the old ones stale`() async throws {
    let fixture = try await archive(5)
    var job = ThumbnailJob()
    var settings = ThumbnailSettings()
    settings.longestEdge = 32
    (job.settings, job.maxItems) = (settings, 2)
    let first = try await job.run(on: fixture.archive)
    #expect(first.made == 2 && first.left == 3)
    let status = try fixture.archive.thumbnailStatus(against: settings.storedRecipe)
    #expect(status.current == 2 && status.stale == 3)
    let rest = try await ThumbnailJob().run(on: fixture.archive)  // The size is remembered.
    #expect(rest.made == 3 && rest.left == 0)
    #expect(try thumbnails(fixture).allSatisfy { max($0.width, $0.height) == 32 })
    #expect(try await ThumbnailJob().run(on: fixture.archive).made == 0)
  }

  @Test func `the same original and recipe give the same bytes on any number of workers`()
    async throws
  {
    let fixture = try await archive(9)
    let imported = try thumbnails(fixture)
    #expect(imported.count == 9)
    for workerCount in [1, 2, 5] {
      var job = ThumbnailJob()
      job.needs = [.current, .stale, .missing, .failed]
      job.workerCount = workerCount
      #expect(try await job.run(on: fixture.archive).made == 9)
      #expect(try thumbnails(fixture) == imported)
    }
  }

  @Test func `only the photos of the notes that are asked for are made`() async throws {
    let fixture = try Fixture()
    try fixture.write("a/1.png", "b/2.png")
    try await fixture.runImport()
    var job = ThumbnailJob()
    job.needs = .current
    job.query = NoteQuery(.equal("text", "a"))
    #expect(try await job.run(on: fixture.archive).made == 1)
  }

  @Test func `a run that is stopped says what is left`() async throws {
    let fixture = try await archive(4)
    var job = ThumbnailJob()
    job.needs = .current
    let report = try await job.run(on: fixture.archive, shouldStop: { true })
    #expect(report.isInterrupted && report.made == 0 && report.left == 4)
  }
}

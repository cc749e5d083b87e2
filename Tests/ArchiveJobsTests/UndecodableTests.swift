import NoteArchive
import QueryLanguage
import Synchronization
import TestSupport
import Testing

@testable import ArchiveJobs

@Suite struct UndecodableTests {
  /// A picture of a kind that no build decodes.
  private static let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  private func status(_ fixture: Fixture) throws -> ThumbnailStatus {
    try fixture.archive.thumbnailStatus(
      against: ThumbnailSettings.current(of: fixture.archive).storedRecipe)
  }

  @Test func `a picture that can't be decoded fails, and says how to keep it`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/a.tif", Self.tiff)
    let remedies = Mutex<[String]>([])
    let report = try await fixture.runImport(observer: { event in
      if case .failed(_, let failure) = event { remedies.withLock { $0.append(failure.remedy) } }
    })
    #expect(report.failed == 1 && report.addsUp)
    #expect(remedies.withLock { $0.count == 1 && $0[0].contains("--keep-undecodable") })
  }

  @Test func `it is kept on demand, byte for byte, and only if it is a picture`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/a.tif", Self.tiff)
    try fixture.folder.write("source/b.tif", Array("no picture".utf8))
    let report = try await fixture.runImport { $0.keepsUndecodable = true }
    #expect(report.imported == 1 && report.undecoded == 1 && report.failed == 1 && report.addsUp)
    let photo = try #require(try fixture.notes().first?.photos.first)
    #expect(photo.format == "tiff" && photo.width == 0 && photo.height == 0 && !photo.damaged)
    var reader = try fixture.archive.original(photo.digest)
    #expect(try reader.nextChunk() == Self.tiff)
    #expect(try status(fixture).missing == 1)
    let again = try await fixture.runImport { $0.keepsUndecodable = true }
    #expect(again.duplicate == 1 && again.imported == 0)
  }

  @Test(arguments: [ThumbnailNeed.missing, .failed])
  func `its thumbnail stays missing, and is tried again`(need: ThumbnailNeed) async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/a.tif", Self.tiff)
    try await fixture.runImport { $0.keepsUndecodable = true }
    let failures = Mutex<[ImportFailure]>([])
    var job = ThumbnailJob()
    for needs in [.missing, need] {
      job.needs = needs
      let report = try await job.run(
        on: fixture.archive,
        observer: { event in
          if case .undecoded(_, let failure) = event { failures.withLock { $0.append(failure) } }
        })
      #expect(report.undecoded == 1 && report.failed == 0 && report.made == 0 && report.left == 0)
    }
    #expect(failures.withLock { $0.map(\.reason) } == [.unsupportedFormat, .unsupportedFormat])
    #expect(try status(fixture).missing == 1)
  }

  @Test func `it does not stand in the way of what can be made, a few at a time`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/a.tif", Self.tiff)
    try await fixture.runImport { $0.keepsUndecodable = true }
    _ = try await ThumbnailJob().run(on: fixture.archive)
    let session = try keep(SamplePNG.bytes(1), in: fixture)
    _ = try session.commitNote(Note(text: "", moment: .now), existing: nil, items: 0...0)
    var job = ThumbnailJob()
    job.maxItems = 1
    #expect(try await job.run(on: fixture.archive).made == 1)
  }

  @Test func `what a run that was cut off has kept is as undecoded in the next one`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/a.tif", Self.tiff)
    try fixture.write("b.png")
    for isWhole in [false, true] {
      let seen = Mutex(0)
      var job = ImportJob(paths: [fixture.source])
      job.keepsUndecodable = true
      let report = try await job.run(
        on: fixture.archive, shouldStop: { !isWhole && seen.withLock { $0 >= 1 } },
        observer: { _ in seen.withLock { $0 += 1 } })
      #expect(report.isInterrupted == !isWhole && report.undecoded == 1)
    }
  }

  /// Keeps a PNG as a build would that can't decode it, on a note of its own.
  private func keep(_ bytes: [UInt8], in fixture: Fixture) throws -> ImportSession {
    let session = try ImportSession.begin(on: fixture.archive)
    let properties = PhotoProperties(format: "png", width: 0, height: 0, byteSize: bytes.count)
    var hash = SHA256()
    hash.update(data: bytes)
    var rest = bytes[...]
    _ = try session.store(
      NewOriginal(digest: hash.finalize(), properties: properties), thumbnail: nil,
      of: .init(number: 0, path: Array("a.png".utf8), filename: "a.png"), allowDuplicate: false
    ) { buffer in
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
    return session
  }

  @Test func `a build that can makes the thumbnail and fills in what the picture says`()
    async throws
  {
    let fixture = try Fixture()
    let bytes = SamplePNG.bytes(1, width: 30, height: 20)
    let session = try keep(bytes, in: fixture)
    _ = try session.commitNote(
      Note(text: "", moment: .now), existing: nil, items: 0...0)
    #expect(try fixture.notes()[0].photos[0].width == 0)
    let report = try await ThumbnailJob().run(on: fixture.archive)
    #expect(report.made == 1)
    let photo = try fixture.notes()[0].photos[0]
    #expect(photo.width == 30 && photo.height == 20 && photo.byteSize == bytes.count)
    #expect(try status(fixture).current == 1)
  }

  @Test func `an import that meets it again fills it in too`() async throws {
    let fixture = try Fixture()
    let bytes = SamplePNG.bytes(1, width: 30, height: 20)
    _ = try keep(bytes, in: fixture)  // And was cut off before the note.
    try fixture.folder.write("source/a.png", bytes)
    #expect(try await fixture.runImport().imported == 1)
    let photo = try fixture.notes()[0].photos[0]
    #expect(photo.width == 30 && photo.height == 20)
    #expect(try status(fixture).current == 1)
  }
}

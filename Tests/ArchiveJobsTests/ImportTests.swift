import FoundationEssentials
import Glibc
import Imaging
import NoteArchive
import QueryLanguage
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import ArchiveJobs

/// An archive and a source folder of a test's own.
struct Fixture {
  let folder: TemporaryFolder
  let archive: Archive
  var source: FilePath { FilePath(folder.path + "/source") }

  init() throws {
    folder = try TemporaryFolder()
    archive = try Archive.openOrCreate(at: folder.path + "/archive")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/source", withIntermediateDirectories: true)
  }

  /// Writes pictures below the source folder, each of another content.
  func write(_ names: String...) throws {
    for name in names { try folder.write("source/\(name)", SamplePNG.bytes(name.hash)) }
  }

  @discardableResult
  func runImport(_ change: (inout ImportJob) -> Void = { _ in }) async throws -> ImportReport {
    var job = ImportJob(paths: [source])
    change(&job)
    return try await job.run(on: archive)
  }

  func runImport(
    shouldStop: @escaping @Sendable () -> Bool = { false },
    observer: @escaping @Sendable (ImportEvent) -> Void
  ) async throws -> ImportReport {
    try await ImportJob(paths: [source]).run(
      on: archive, shouldStop: shouldStop, observer: observer)
  }

  func notes() throws -> [Note] {
    try archive.notes(NoteQuery(sortedBy: [.init("text")]))
  }
}

extension String {
  /// The same number on each run, unlike `hashValue`.
  fileprivate var hash: Int { utf8.reduce(7) { ($0 * 31 + Int($1)) & 0xffff } }
}

extension ImportReport {
  var addsUp: Bool { found == imported + duplicate + ignored + failed }
}

@Suite struct ImportTests {
  @Test func `a folder's photos become one note in the order in which a person counts`()
    async throws
  {
    let fixture = try Fixture()
    try fixture.write("IMG_10.png", "IMG_2.png", "img_1.png", "b/x.png")
    let report = try await fixture.runImport()
    #expect(report.imported == 4 && report.notes == 2 && report.addsUp)
    let notes = try fixture.notes()
    #expect(notes.map(\.text) == ["b", "source"])
    #expect(notes[1].photos.map(\.filename) == ["img_1.png", "IMG_2.png", "IMG_10.png"])
    #expect(notes[1].photos.map(\.position) == [1, 2, 3])
  }

  @Test func `the order of the arguments is kept`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png", "c.png")
    try await fixture.runImport { job in
      job.paths = ["c", "a", "b"].map { FilePath(fixture.source.text + "/\($0).png") }
    }
    #expect(try fixture.notes()[0].photos.map(\.filename) == ["c.png", "a.png", "b.png"])
  }

  @Test(arguments: ImportGrouping.allCases, [1, 2, 7])
  func `photos become notes by what they are grouped by, whatever the number of workers`(
    grouping: ImportGrouping, workerCount: Int
  ) async throws {
    let fixture = try Fixture()
    for number in 0..<9 { try fixture.write("f\(number % 3)/\(number).png") }
    let report = try await fixture.runImport {
      $0.grouping = grouping
      $0.workerCount = workerCount
    }
    let expected = [ImportGrouping.folder: 3, .photo: 9, .all: 1][grouping]
    #expect(report.notes == expected)
    let photos = try fixture.archive.notes(NoteQuery(sortedBy: [.init("id")])).flatMap(\.photos)
    #expect(photos.map(\.filename) == [0, 3, 6, 1, 4, 7, 2, 5, 8].map { "\($0).png" })
  }

  @Test func `a second run imports nothing`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    try await fixture.runImport()
    let before = try fixture.notes()
    let report = try await fixture.runImport()
    #expect(report.imported == 0 && report.duplicate == 2 && report.notes == 0 && report.addsUp)
    #expect(try fixture.notes() == before)
  }

  @Test func `of two files with the same content the first in order is kept`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write("source/b.png", SamplePNG.bytes(1))
    try fixture.folder.write("source/a.png", SamplePNG.bytes(1))
    let duplicates = Mutex<[FilePath]>([])
    let report = try await fixture.runImport(observer: { event in
      if case .duplicate(let path) = event { duplicates.withLock { $0.append(path) } }
    })
    #expect(report.imported == 1 && report.duplicate == 1 && report.addsUp)
    #expect(duplicates.withLock { $0.map(\.lastComponent.text) } == ["b.png"])
  }

  @Test func `a photo whose note is in the trash comes in again`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    _ = try fixture.archive.delete(try fixture.archive.ids(of: NoteQuery()))
    #expect(try await fixture.runImport().imported == 1)
  }

  @Test func `an original comes out as it went in, however many pieces it has`() async throws {
    let fixture = try Fixture()
    let bytes = SamplePNG.bytes(3, width: 2000, height: 1500)  // Three pieces of 1 MiB.
    try fixture.folder.write("source/large.png", bytes)
    try await fixture.runImport()
    var reader = try fixture.archive.original(fixture.notes()[0].photos[0].digest)
    var back: [UInt8] = []
    while let chunk = try reader.nextChunk() { back += chunk }
    #expect(back == bytes)
  }

  @Test func `the source is as it was, times included`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "sub/b.png")
    func state() -> [String] {
      ["", "/a.png", "/sub", "/sub/b.png"].map { name in
        var status = stat()
        _ = stat(fixture.source.text + name, &status)
        return "\(status.st_atim) \(status.st_mtim) \(status.st_ctim) \(status.st_size)"
      }
    }
    // An old time of last access, which the system would move at the next read.
    for name in ["/a.png", "/sub/b.png", "/sub", ""] {
      let old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 2, tv_nsec: 0)]
      utimensat(AT_FDCWD, fixture.source.text + name, old, 0)
    }
    let before = state()
    try await fixture.runImport()
    #expect(state() == before)
  }

  @Test func `a stopped run keeps what it read and the next one makes the whole note`() async throws
  {
    let fixture = try Fixture()
    for number in 0..<12 { try fixture.write("\(number).png") }
    let seen = Mutex(0)
    let report = try await fixture.runImport(
      shouldStop: { seen.withLock { $0 >= 4 } },
      observer: { _ in seen.withLock { $0 += 1 } })
    #expect(report.isInterrupted && report.imported >= 4 && report.imported < 12)
    #expect(try fixture.notes().isEmpty)
    let next = try await fixture.runImport()
    #expect(next.imported == 12 && next.notes == 1 && next.addsUp)
    #expect(try fixture.notes()[0].photos.count == 12)
  }

  @Test func `a note of picked photos is made whole or not at all`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try fixture.folder.write("source/b.png", Array("no picture".utf8))
    let report = try await fixture.runImport { $0.requiresAll = true }
    #expect(report.failed == 1 && report.notes == 0)
    #expect(try fixture.notes().isEmpty)
  }

  @Test func `a dry run leaves no trace and says what would be`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    try fixture.folder.write("source/c.png", SamplePNG.bytes(5))
    try fixture.folder.write("source/d.png", SamplePNG.bytes(5))
    let report = try await fixture.runImport { $0.isDryRun = true }
    #expect(report.imported == 3 && report.duplicate == 1 && report.notes == 1 && report.addsUp)
    #expect(report.session == nil)
    #expect(try fixture.notes().isEmpty)
    #expect(try await fixture.runImport().imported == 3)
  }

  @Test func `a dry run needs no archive`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    var job = ImportJob(paths: [fixture.source])
    job.isDryRun = true
    let report = try await job.run(on: nil)
    #expect(report.imported == 2 && report.notes == 1 && report.addsUp)
  }

  @Test func `what a run that was cut off has stored is as damaged in the next one`() async throws {
    let fixture = try Fixture()
    try fixture.folder.write(
      "source/cut.png", Array(SamplePNG.bytes(1, width: 300, height: 200).prefix(30_000)))
    try fixture.write("z.png")
    let told = Mutex<[String]>([])
    for isWhole in [false, true] {
      let seen = Mutex(0)
      let report = try await fixture.runImport(
        shouldStop: { !isWhole && seen.withLock { $0 >= 1 } },
        observer: { event in
          seen.withLock { $0 += 1 }
          if case .damaged(_, let detail) = event { told.withLock { $0.append(detail) } }
        })
      #expect(report.isInterrupted == !isWhole && report.damaged == 1)
    }
    #expect(told.withLock { $0.count == 2 && $0[0] == $0[1] && !$0[0].isEmpty })
  }

  @Test func `a duplicate leaves a row where it is met first, and is counted each time`()
    async throws
  {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    try fixture.folder.write("source/copy of a.png", try fixture.folder.read("source/a.png"))
    for _ in 0..<3 { #expect(try await fixture.runImport().addsUp) }
    let database = try Database(path: fixture.archive.path + "/archive.db", mode: .readOnly)
    let (items, numbers) = try database.withConnection { connection throws(DatabaseError) in
      (
        try connection.all("SELECT outcome FROM import_item ORDER BY session, number") {
          $0.string(0)
        },
        try connection.all("SELECT duplicate FROM import_session ORDER BY id") { $0.int(0) }
      )
    }
    #expect(items == ["imported", "imported", "duplicate"])
    #expect(numbers == [1, 3, 3])
  }

  @Test func `photos are added to a note at its end`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    let id = try fixture.notes()[0].id
    try fixture.write("b.png")
    let report = try await fixture.runImport { $0.existingNote = id }
    #expect(report.imported == 1 && report.notes == 0)
    #expect(try fixture.notes().map { $0.photos.map(\.filename) } == [["a.png", "b.png"]])
  }
}

@Suite struct BadInputTests {
  /// Imports one file by itself and gives the reason of its failure, or nil.
  private func reason(
    _ bytes: [UInt8], in name: String = "x.jpg"
  ) async throws -> ImportFailure.Reason? {
    let fixture = try Fixture()
    try fixture.folder.write("source/\(name)", bytes)
    let failures = Mutex<[ImportFailure]>([])
    let report = try await fixture.runImport(observer: { event in
      if case .failed(_, let failure) = event { failures.withLock { $0.append(failure) } }
    })
    #expect(report.addsUp)
    let failure = failures.withLock { $0.first }
    #expect(failure?.detail.isEmpty != true && failure?.remedy.isEmpty != true)
    return failure?.reason
  }

  @Test func `each kind of bad file has its reason, by content or else by name`() async throws {
    let png = SamplePNG.bytes(1)
    #expect(try await reason([]) == .empty)
    #expect(try await reason(Array("Dear diary, …".utf8)) == .notAnImage)
    #expect(try await reason(Array("Dear diary, …".utf8), in: "notes.txt") == nil)
    #expect(try await reason([], in: "notes.txt") == nil)
    #expect(try await reason(png, in: "really-a-png.jpg") == nil)
    #expect(try await reason(png, in: "no-extension") == nil)
    #expect(try await reason(Array(png.prefix(60)), in: "x.png") == .truncated)
    #expect(try await reason(Array("GIF89a".utf8), in: "x") == .unsupportedFormat)
    var huge = png
    huge.replaceSubrange(16..<24, with: [0, 0, 0xff, 0xdc, 0, 0, 0xff, 0xdc])
    let claim = try await reason(huge, in: "x.png")
    #expect(claim == .tooLarge || claim == .malformed)
  }

  @Test(arguments: [
    (ImageError.tooSlow(limit: .seconds(60)), ImportFailure.Reason.tooSlow),
    (.outOfMemory, .outOfMemory), (.malformed(reason: "x"), .malformed), (.truncated, .truncated),
    (.tooLarge(PixelSize(width: 1, height: 1), limit: 1), .tooLarge),
  ])
  func `what the decoder says keeps its own reason and remedy`(
    error: ImageError, reason: ImportFailure.Reason
  ) {
    let failure = ImportFailure(error)
    #expect(failure.reason == reason && failure.reason.rawValue == error.code)
    #expect(!failure.remedy.isEmpty)
    #expect((reason == .malformed || reason == .truncated) == failure.remedy.contains("again"))
  }

  @Test func `links that lead nowhere or in circles fail by themselves`() async throws {
    let fixture = try Fixture()
    try fixture.write("real/a.png")
    let source = fixture.source.text
    symlink("nowhere", source + "/dangling.jpg")
    symlink("itself", source + "/itself")
    symlink("..", source + "/real/up")
    symlink(source + "/real/a.png", source + "/link.png")
    let failed = Mutex<[String]>([])
    let report = try await fixture.runImport(observer: { event in
      if case .failed(let path, _) = event {
        failed.withLock { $0.append(path.lastComponent.text) }
      }
    })
    #expect(failed.withLock { $0.sorted() } == ["dangling.jpg", "itself", "up"])
    #expect(report.imported == 1 && report.duplicate == 1 && report.addsUp)
  }

  @Test func `a path that does not exist is a failure and the rest goes on`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    let report = try await fixture.runImport { $0.paths.insert(FilePath("/no/such/folder"), at: 0) }
    #expect(report.failed == 1 && report.imported == 1 && report.addsUp)
  }

  @Test func `a file that may not be read is a failure`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    chmod(fixture.source.text + "/a.png", 0)
    let report = try await fixture.runImport()
    // Nothing is forbidden to root, so there the file comes in.
    #expect(report.failed == (geteuid() == 0 ? 0 : 1) && report.addsUp)
  }

  @Test func `names of any bytes come in`() async throws {
    let fixture = try Fixture()
    let names: [[UInt8]] = [
      [0x61, 0xff, 0xfe, 0x2e, 0x70, 0x6e, 0x67], Array("new\nline\u{1b}[2J.png".utf8),
      Array("花火 🎆.png".utf8),
    ]
    for (number, name) in names.enumerated() {
      let path = fixture.source.appending(name)
      let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT, 0o644) }
      let bytes = SamplePNG.bytes(number)
      #expect(write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }
    let report = try await fixture.runImport()
    #expect(report.imported == 3 && report.addsUp)
    #expect(
      try fixture.notes()[0].photos.map(\.filename)
        == ["a\u{fffd}\u{fffd}.png", "new\nline\u{1b}[2J.png", "花火 🎆.png"])
  }

  @Test func `hidden files and folders, pipes and other things are counted by kind`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", ".hidden.png", ".folder/b.png")
    try fixture.folder.write("source/film.mov", [1, 2, 3])
    mkfifo(fixture.source.text + "/pipe", 0o644)
    let report = try await fixture.runImport()
    #expect(report.imported == 1 && report.addsUp)
    #expect(
      report.ignoredKinds == ["hidden file": 1, "hidden folder": 1, "mov": 1, "special file": 1])
  }
}

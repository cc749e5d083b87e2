import FoundationEssentials
import Glibc
import NoteArchive
import QueryLanguage
import TestSupport
import Testing

@testable import ArchiveJobs

@Suite struct ExportTests {
  private func export(
    _ fixture: Fixture, _ query: NoteQuery = NoteQuery()
  ) throws -> ExportJob.Report {
    try ExportJob(folder: FilePath(fixture.folder.path + "/out"), query: query)
      .run(on: fixture.archive)
  }

  private func files(_ fixture: Fixture) throws -> [String: [UInt8]] {
    let out = fixture.folder.path + "/out"
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: out) {
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: out + "/" + name, isDirectory: &isFolder)
      if !isFolder { files[name] = try fixture.folder.read("out/" + name) }
    }
    return files
  }

  @Test func `originals come out byte for byte, two of one name both`() async throws {
    let fixture = try Fixture()
    try fixture.write("a/IMG_1.png", "b/IMG_1.png", "c/img_1.PNG")
    try await fixture.runImport { $0.grouping = .all }
    let report = try export(fixture)
    #expect(report.written == 3 && report.failed == 0)
    let files = try files(fixture)
    let names = files.keys.compactMap { $0.split(separator: "/").last }.sorted()
    #expect(
      names == ["IMG_1 (2).png", "IMG_1.png", "SHA256SUMS", "img_1 (3).PNG", "note.json"])
    let originals = try ["a/IMG_1.png", "b/IMG_1.png", "c/img_1.PNG"]
      .map { try fixture.folder.read("source/" + $0) }
    for original in originals { #expect(files.values.contains(original)) }
  }

  @Test func `the checksums are those that sha256sum would write`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    _ = try export(fixture)
    let files = try files(fixture)
    let sums = String(decoding: files["SHA256SUMS"] ?? [], as: UTF8.self)
    let lines = sums.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let (digest, name) = (line.prefix(64), String(line.dropFirst(66)))
      let bytes = try #require(files[name])
      #expect(SHA256.hash(data: bytes).description == digest)
    }
  }

  @Test func `an export repeated without a change writes nothing`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b/c.png")
    try await fixture.runImport()
    #expect(try export(fixture).written == 2)
    func times() throws -> [String] {
      try files(fixture).keys.sorted().map { name in
        var status = stat()
        _ = stat(fixture.folder.path + "/out/" + name, &status)
        return "\(name) \(status.st_mtim) \(status.st_ino)"
      }
    }
    let before = try times()
    let report = try export(fixture)
    #expect(report.written == 0 && report.unchanged == 2)
    #expect(try times() == before)
  }

  @Test func `what is there and differs is never overwritten`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    _ = try export(fixture)
    let path = try #require(files(fixture).keys.first { $0.hasSuffix("a.png") })
    try fixture.folder.write("out/" + path, [1, 2, 3])
    let report = try export(fixture)
    #expect(report.failed == 1 && report.written == 0)
    #expect(try fixture.folder.read("out/" + path) == [1, 2, 3])
  }

  @Test func `an export of some notes leaves the others' files and their checksums`() async throws {
    let fixture = try Fixture()
    try fixture.write("a/1.png", "b/2.png")
    try await fixture.runImport()
    _ = try export(fixture, NoteQuery(.equal("text", "a")))
    _ = try export(fixture, NoteQuery(.equal("text", "b")))
    let sums = String(decoding: try fixture.folder.read("out/SHA256SUMS"), as: UTF8.self)
    #expect(sums.split(separator: "\n").count == 4)
  }

  @Test func `a note that has changed is described anew, and the list follows`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    _ = try export(fixture)
    let before = try files(fixture)
    _ = try fixture.archive.edit(try fixture.archive.ids(of: NoteQuery())) { $0.memo = "new" }
    let report = try export(fixture)
    #expect(report.failed == 0 && report.unchanged == 1)
    let after = try files(fixture)
    #expect(Set(after.keys) == Set(before.keys))
    let name = try #require(after.keys.first { $0.hasSuffix("note.json") })
    let description = try #require(after[name])
    #expect(String(decoding: description, as: UTF8.self).contains("new"))
    let list = String(decoding: after["SHA256SUMS"] ?? [], as: UTF8.self)
    #expect(list.contains("\(SHA256.hash(data: description))  \(name)\n"))
  }

  @Test(arguments: ["{}", "{\"id\":\"0190a0b0-0000-7000-8000-000000000000\"}", "mine"])
  func `another's description of a note is left alone`(text: String) async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    let folder = ExportNames.folder(of: try fixture.notes()[0])
    try fixture.folder.write("out/\(folder)/note.json", Array(text.utf8))
    let report = try export(fixture)
    #expect(report.written == 1 && report.failed == 1)
    #expect(try fixture.folder.read("out/\(folder)/note.json") == Array(text.utf8))
    let list = String(decoding: try fixture.folder.read("out/SHA256SUMS"), as: UTF8.self)
    #expect(!list.contains("note.json"))
  }

  @Test(arguments: [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  debian-12.iso\n",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 *a/b 0123456789ab\n",
    "# a list of mine\n", "\n", String(repeating: "x", count: 200_000),
  ])
  func `another's list of checksums is left alone`(text: String) async throws {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    try fixture.folder.write("out/SHA256SUMS", Array(text.utf8))
    let report = try export(fixture)
    #expect(report.written == 1 && report.failed == 1)
    #expect(try fixture.folder.read("out/SHA256SUMS") == Array(text.utf8))
  }

  @Test func `what can't be finished leaves the file that is there, and nothing beside it`() throws
  {
    struct Full: Error {}
    let folder = try TemporaryFolder()
    try folder.write("f", [1])
    var parts: [[UInt8]] = [[2], [3]]
    #expect(throws: Full.self) {
      try OutputFolder(path: FilePath(folder.path)).write(
        "f", digest: SHA256.hash(data: [2, 3, 4]), byteCount: 3, replacing: { _ in true }
      ) { () throws(Full) in
        #expect((try? folder.read("f")) == [1])  // There at every moment.
        guard let part = parts.popLast() else { throw Full() }
        return part
      }
    }
    #expect(try folder.read("f") == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"])
  }

  @Test func `a link that leads nowhere costs its own photo`() async throws {
    let fixture = try Fixture()
    try fixture.write("a.png", "b.png")
    try await fixture.runImport()
    let folder = fixture.folder.path + "/out/" + ExportNames.folder(of: try fixture.notes()[0])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    symlink("nowhere", folder + "/a.png")
    let report = try export(fixture)
    #expect(report.written == 1 && report.failed == 1)
  }

  @Test func `what a killed run has left is removed, and what another one writes is not`()
    async throws
  {
    let fixture = try Fixture()
    try fixture.write("a.png")
    try await fixture.runImport()
    let out = fixture.folder.path + "/out"
    try fixture.folder.write("out/.photonotes-1-2.part", [1])
    try fixture.folder.write("out/.photonotes-mine.part", [1])
    let running = try PartialFile(in: FilePath(out))
    _ = try export(fixture)
    let hidden = try FileManager.default.contentsOfDirectory(atPath: out).filter {
      $0.hasPrefix(".")
    }
    #expect(Set(hidden) == [".photonotes-mine.part", running.path.lastComponent.text])
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `a list of any length is the same however little of it is in memory`(
    lineCapacity: Int
  ) throws {
    let folder = try TemporaryFolder()
    let output = OutputFolder(path: FilePath(folder.path))
    let notes = (0..<9).map { "2024-05-0\($0) あ 0123456789a\($0)" }
    for note in notes { try folder.write(note + "/b.jpg", [1]) }
    func line(_ note: Int, _ file: String, _ byte: UInt8) -> String {
      "\(SHA256.hash(data: [byte]))  \(notes[note])/\(file)\n"
    }
    // In no order, as `sha256sum` may have written it; and of one file that is no longer there.
    let earlier = [6, 1, 4, 0].map { line($0, "b.jpg", 1) } + [line(2, "gone.jpg", 1)]
    try folder.write("SHA256SUMS", Array(earlier.joined().utf8))
    func write() throws -> OutputFolder.Outcome {
      var list = Checksums(in: output, lineCapacity: lineCapacity)
      for note in [8, 4, 3, 7] { try list.add(SHA256.hash(data: [9]), notes[note] + "/b.jpg") }
      return try list.write()
    }
    #expect(try write() == .written)
    let expected = [(0, 1), (1, 1), (3, 9), (4, 9), (6, 1), (7, 9), (8, 9)].map {
      line($0.0, "b.jpg", UInt8($0.1))
    }
    #expect(String(decoding: try folder.read("SHA256SUMS"), as: UTF8.self) == expected.joined())
    #expect(try write() == .unchanged)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == Set(notes + ["SHA256SUMS"]))
  }

  @Test(arguments: [
    ("../../etc/passwd", "_.._etc_passwd"), ("a/b.jpg", "a_b.jpg"), ("x\u{1b}[2J.jpg", "x_[2J.jpg"),
    ("CON.jpg", "_CON.jpg"), ("trail. ", "trail"), ("...", ""),
    ("con\u{202e}gpj.exe", "con_gpj.exe"),
    ("花火 🎆.jpg", "花火 🎆.jpg"),
  ])
  func `a name can't lead out of its folder or upset a system`(name: String, cleaned: String) {
    #expect(ExportNames.cleaned(name, byteLimit: 200) == cleaned)
  }

  @Test func `a long name keeps its extension`() {
    let name = ExportNames.cleaned(String(repeating: "火", count: 300) + ".jpeg", byteLimit: 200)
    #expect(name.utf8.count <= 200 && name.hasSuffix("火.jpeg"))
  }
}

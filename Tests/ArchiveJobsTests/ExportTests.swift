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

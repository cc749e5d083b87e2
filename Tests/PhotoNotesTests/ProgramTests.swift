import Foundation
import TestSupport
import Testing

/// The program as its users meet it: what it prints, and what it tells the shell.
@Suite struct ProgramTests {
  private let folder = try? TemporaryFolder()
  private var archive: String { (folder?.path ?? "") + "/archive" }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(arguments, archive: archive)
  }

  private func source() throws -> String {
    let folder = try #require(folder)
    try folder.write("source/IMG_2.png", SamplePNG.bytes(2))
    try folder.write("source/IMG_10.png", SamplePNG.bytes(10))
    try folder.write("source/copy.png", SamplePNG.bytes(2))
    try folder.write("source/bad\u{1b}[2J.jpg", Array("no picture".utf8))
    try folder.write("source/readme.txt", Array("text".utf8))
    return folder.path + "/source"
  }

  @Test func `the ledger of an import adds up, by JSON and by exit status`() throws {
    let run = try run("import", try source(), "--json", "--label", "x")
    #expect(run.status == 3)
    let failed = try #require(run.objects.first)
    #expect(failed["type"] as? String == "failed")
    #expect(failed["reason"] as? String == "not-an-image")
    let summary = try #require(run.objects.last)
    let names = ["found", "imported", "duplicate", "ignored", "failed", "notes", "damaged"]
    #expect(names.map { summary[$0] as? Int } == [5, 2, 1, 1, 1, 1, 0])
    #expect(summary["type"] as? String == "summary")
  }

  @Test func `a dry run makes no archive, and reports as if there were one`() throws {
    let run = try run("import", try source(), "--dry-run", "--json")
    #expect(run.status == 3)
    let names = ["found", "imported", "duplicate", "ignored", "failed", "notes"]
    #expect(names.map { run.objects.last?[$0] as? Int } == [5, 2, 1, 1, 1, 1])
    #expect(!FileManager.default.fileExists(atPath: archive))
    let into = try ProgramRun(
      ["import", try source(), "--dry-run", "--into", "01"], archive: archive)
    #expect(into.status == 10)
    #expect(!FileManager.default.fileExists(atPath: archive))
  }

  @Test func `thumbnails that wait for another build are counted, and are no failure`() throws {
    let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let source = try #require(folder).write("source/a.tif", tiff)
    #expect(try run("import", source, "--keep-undecodable").status == 0)
    for _ in 0..<2 {
      let rebuild = try run("thumbnails", "rebuild")
      #expect(rebuild.status == 0)
      #expect(rebuild.output.contains("0 failed, 0 left, 1 waiting for another build"))
      #expect(rebuild.errors.contains("1 photo that this build can’t decode: Convert"))
    }
    let summary = try run("thumbnails", "rebuild", "--json").objects.last
    #expect(summary?["undecoded"] as? Int == 1 && summary?["failed"] as? Int == 0)
  }

  @Test func `a name with an escape sequence reaches the terminal as text`() throws {
    let run = try run("import", try source())
    #expect(!run.errors.contains("\u{1b}") && run.errors.contains("bad\\u{1B}[2J.jpg"))
  }

  @Test func `notes are listed, found, shown and counted`() throws {
    _ = try run("import", try source(), "--tag", "rain", "--favorite")
    _ = try run("add", "--text", "A memo of its own", "--date", "2019-02-03")
    func texts(_ arguments: String...) throws -> [String] {
      let run = try ProgramRun(["list", "--json"] + arguments, archive: archive)
      #expect(run.status == 0, "\(run.errors)")
      return run.objects.compactMap { $0["text"] as? String }
    }
    #expect(try texts("--sort", "date:asc") == ["A memo of its own", "source"])
    #expect(try texts("--text", "img_10") == ["source"])
    #expect(try texts("--text", "RAIN") == ["source"])
    #expect(try texts("--favourite") == ["source"])
    #expect(try texts("--no-favorite") == ["A memo of its own"])
    #expect(try texts("--on", "2019-02") == ["A memo of its own"])
    #expect(try texts("--from", "2019-02-04") == ["source"])
    #expect(try texts("--to", "2019-02-03") == ["A memo of its own"])
    #expect(try texts("--where", "photoCount == %@", "--arg", "int:2") == ["source"])
    #expect(try texts("--limit", "1", "--sort", "text:desc") == ["source"])
    #expect(try run("count", "--tag", "rain").output == "1\n")
    let note = try #require(try run("list", "--json", "--favorite").objects.first)
    let shown = try #require(try run("show", note["id"] as? String ?? "", "--json").objects.first)
    let names = (shown["photos"] as? [[String: Any]])?.compactMap { $0["filename"] as? String }
    #expect(names == ["copy.png", "IMG_10.png"])
  }

  @Test func `notes are edited, deleted and restored`() throws {
    _ = try run("import", try source())
    let id = try #require(try run("list", "--json").objects.first?["id"] as? String)
    #expect(
      try run("edit", id, "--text", "New", "--add-tag", "a", "--move-photo", "2", "--to", "1")
        .status == 0)
    let note = try #require(try run("show", id, "--json").objects.first)
    #expect(note["text"] as? String == "New" && note["tags"] as? [String] == ["a"])
    let names = (note["photos"] as? [[String: Any]])?.compactMap { $0["filename"] as? String }
    #expect(names == ["IMG_10.png", "copy.png"])
    #expect(try run("delete", id).status == 2)  // Nobody is there to be asked.
    #expect(try run("delete", id, "--yes").status == 0)
    #expect(try run("count").output == "0\n")
    #expect(try run("list", "--trash", "--json").objects.count == 2)
    #expect(try run("restore", id).status == 0)
    #expect(try run("count").output == "1\n")
  }

  @Test func `each way to go wrong has its status, and a line that says what to do`() throws {
    let path = try #require(folder).path
    func status(_ arguments: String..., archive: String? = nil) throws -> Int32 {
      let run = try ProgramRun(arguments, archive: archive ?? self.archive)
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      return run.status
    }
    #expect(try status("list") == 10)
    #expect(try run("init").status == 0)
    #expect(try status("lst") == 2)
    #expect(try status("list", "--txet", "x") == 2)
    #expect(try status("list", "--from", "31.5.2024") == 2)
    #expect(try status("list", "--where", "txt == \"x\"") == 2)
    #expect(try status("list", "--sort", "size") == 2)
    #expect(try status("show", "ffff") == 1)
    #expect(try status("import", path, archive: try #require(folder).write("file", [1])) == 1)
    #expect(try run("lst").errors.contains("list"))
    #expect(try run("list", "--where", "txt == \"x\"").errors.contains("text"))
  }

  @Test func `help names every command and option`() throws {
    let help = try run("--help")
    #expect(help.status == 0)
    for command in ["init", "import", "add", "list", "show", "export", "thumbnails", "fields"] {
      #expect(help.output.contains("  \(command) "))
      #expect(try run(command, "--help").status == 0)
    }
    #expect(try run("list", "--help").output.contains("--favorite"))
  }
}

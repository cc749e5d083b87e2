import TestSupport
import Testing

/// `--where` is the same wherever notes are selected.
@Suite struct WhereTests {
  private let folder: TemporaryFolder
  private var archive: String { folder.path + "/archive" }

  init() throws {
    folder = try TemporaryFolder()
    let photo = try folder.write("a.png", SamplePNG.bytes(1))
    try succeed("add", photo, "--text", "abc", "--favorite")
    try succeed("add", "--text", "other")
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(arguments, archive: archive)
  }

  private func succeed(_ arguments: String...) throws {
    let run = try run(arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
  }

  private func selecting(_ command: String) -> [String] {
    command.split(separator: " ").map { $0 == "DIR" ? folder.path + "/export" : String($0) }
  }

  /// Each command, and the count of its summary for one note with one photo.
  static let commands = [
    ("list", "notes"), ("count", "notes"), ("photos", "photos"), ("export DIR", "notes"),
    ("edit --label x", "notes"), ("delete --yes", "notes"), ("thumbnails status", "current"),
    ("thumbnails rebuild --all", "made"),
  ]

  @Test(arguments: commands)
  func `a command takes the notes that a predicate selects`(command: String, count: String) throws {
    let path = command == "photos" ? "note." : ""
    let format = "\(path)favorite == YES AND (\(path)text CONTAINS[cd] %@ OR \(path)memo == 'abc')"
    let run = try run(selecting(command) + ["--json", "--where", format, "--arg", "ABC"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.objects.last?[count] as? Int == 1, "\(run.output)")
  }

  @Test func `a note that is restored by a predicate is back, and no other`() throws {
    try succeed("delete", "--where", "TRUEPREDICATE", "--yes")
    try succeed("restore", "--where", "favorite == YES")
    #expect(try run(["count"]).output == "1\n")
    #expect(try run(["count", "--favorite"]).output == "1\n")
  }

  @Test(arguments: commands.map(\.0) + ["restore", "list --follow", "list --explain"])
  func `a predicate that is wrong is refused with its place, and nothing happens`(
    command: String
  ) throws {
    for (wrong, answer) in [
      ("text == 'abc' AND heigt > 1", "(column 19)"), ("(text == 'abc'", "(column 15)"),
      ("", "(column 1)"), ("text == %@", "no argument"),
    ] {
      let run = try run(selecting(command) + ["--where", wrong])
      #expect(run.status == 2 && run.output.isEmpty, "\(run.output)")
      let isAboutText = command == "photos" && wrong.contains("text")
      #expect(run.errors.contains(isAboutText ? "note.text" : answer), "\(run.errors)")
    }
    #expect(try run(["count"]).output == "2\n")
  }

  @Test(arguments: ["photoCount == %@", "date > %@", "favorite == %@"])
  func `an argument of another type than text is asked for by its type`(format: String) throws {
    let run = try run(["list", "--where", format, "--arg", "2024-05-31"])
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("date:2024-05-31") && run.errors.contains("(column"))
  }

  @Test(arguments: commands.map(\.0) + ["restore"])
  func `an argument without a predicate selects nothing`(command: String) throws {
    let run = try run(selecting(command) + ["--arg", "abc"])
    #expect(run.status == 2 && run.errors.contains("--where"), "\(run.errors)")
    #expect(try self.run(["count"]).output == "2\n")
  }
}

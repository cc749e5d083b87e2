import Foundation
import TestSupport
import Testing

/// `photos`: rows of their own, asked about by what they are and by the notes that they are on.
@Suite struct PhotosTests {
  private let folder: TemporaryFolder
  private var archive: String { folder.path + "/archive" }

  /// Three notes: a favorite of two photos with a tag, a wide photo with a label, and a small one.
  init() throws {
    folder = try TemporaryFolder()
    try add(
      ["wide.png": 4001, "narrow.png": 90], "--favorite", "--tag", "glaze", "--date", "2023-05-01")
    try add(["panorama.png": 5000], "--label", "kiln", "--date", "2024-05-01")
    try add(["small.png": 30], "--date", "2022-05-01", "--text", "river")
  }

  private func add(_ widths: KeyValuePairs<String, Int>, _ options: String...) throws {
    let files = try widths.map { name, width in
      try folder.write(name, SamplePNG.bytes(width, width: width, height: 2))
    }
    let run = try ProgramRun(["add"] + files + options, archive: archive)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(["photos"] + arguments, archive: archive)
  }

  private func names(_ arguments: String...) throws -> [String] {
    let run = try ProgramRun(["photos", "--json"] + arguments, archive: archive)
    #expect(run.status == 0, "\(run.errors)")
    let photos = run.objects.filter { $0["type"] as? String == "photo" }
    #expect(run.objects.last?["type"] as? String == "summary")
    #expect(run.objects.last?["photos"] as? Int == photos.count)
    return photos.compactMap { $0["filename"] as? String }
  }

  @Test func `a predicate is about photos and, after “note.”, about their notes`() throws {
    #expect(try names("--where", "width > 4000") == ["panorama.png", "wide.png"])
    #expect(try names("--where", "width > 4000 AND note.favorite == YES") == ["wide.png"])
    #expect(try names("--where", "NOT (width > 4000 AND note.favorite == YES)").count == 3)
    #expect(
      try names("--where", "note.photoCount == 2 AND position == %d", "--arg", "int:2") == [
        "narrow.png"
      ])
    #expect(
      try names("--where", "ANY note.tags == %@", "--arg", "glaze") == ["wide.png", "narrow.png"])
  }

  @Test func `the short filters select notes, and join the predicate with AND`() throws {
    #expect(try names("--favorite") == ["wide.png", "narrow.png"])
    #expect(try names("--tag", "glaze", "--where", "width < 100") == ["narrow.png"])
    #expect(try names("--label", "kiln") == ["panorama.png"])
    #expect(try names("--on", "2022") == ["small.png"])
    // A note's file name matches for all of its photos.
    #expect(try names("--text", "narrow") == ["wide.png", "narrow.png"])
    #expect(try names("--label", "kiln", "--favorite") == [])
  }

  @Test func `photos come newest note first and as they were picked, or in the order asked for`()
    throws
  {
    #expect(try names() == ["panorama.png", "wide.png", "narrow.png", "small.png"])
    #expect(try names("--limit", "2") == ["panorama.png", "wide.png"])
    #expect(try names("--sort", "width:asc", "-n", "3") == ["small.png", "narrow.png", "wide.png"])
    #expect(
      try names("--sort", "note.favorite:desc,filename:asc")
        == ["narrow.png", "wide.png", "panorama.png", "small.png"])
    #expect(try names("--limit", "0") == [])
  }

  @Test func `a photo is a line to a person, and an object with its note's id to a program`() throws
  {
    let lines = try run("--where", "width == 5000")
    #expect(lines.output.contains("5000 × 2") && lines.output.contains("panorama.png"))
    #expect(lines.output.split(separator: "\n").count == 1 && lines.errors == "1 photo\n")
    let photo = try #require(try run("--json", "--where", "width == 5000").objects.first)
    let note = try #require(
      try ProgramRun(["list", "--json", "--label", "kiln"], archive: archive).objects.first)
    #expect(photo["note"] as? String == note["id"] as? String)
    #expect(photo["height"] as? Int == 2 && photo["position"] as? Int == 1)
    #expect((photo["digest"] as? String)?.count == 64)
  }

  @Test func `it explains how photos are found, and lists none`() throws {
    let format = "width > 4000 AND note.favorite == YES"
    let lines = try run("--where", format, "--tag", "glaze", "--limit", "1", "--explain").output
    for part in [
      "\(format), on notes for which ANY tags", "LIMIT 1", "search     \"gla\"",
      "2 looked at, 1 found",
    ] {
      #expect(lines.contains(part), "\(lines)")
    }
    #expect(!lines.contains("wide.png"))
    let object = try #require(try run("--explain", "--json").objects.first)
    #expect(object["type"] as? String == "explanation" && object["matches"] as? Int == 4)
    #expect((object["index"] as? [String])?.isEmpty == false)
  }

  @Test func `photos of notes in the trash are not listed`() throws {
    let run = try ProgramRun(["delete", "--favorite", "--yes"], archive: archive)
    #expect(run.status == 0)
    #expect(try names() == ["panorama.png", "small.png"])
    #expect(try names("--where", "note.favorite == YES") == [])
  }

  @Test func `a field of notes is answered with the path to it, and nothing is listed`() throws {
    for (arguments, answer) in [
      (["--where", "favorite == YES"], "note.favorite"), (["--where", "widht > 1"], "width"),
      (["--sort", "heigth"], "height"), (["--sort", "note.tags"], "no single value"),
    ] {
      let run = try ProgramRun(["photos"] + arguments, archive: archive)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(run.errors.contains(answer) && run.errors.contains("(column 1)"), "\(run.errors)")
    }
  }
}

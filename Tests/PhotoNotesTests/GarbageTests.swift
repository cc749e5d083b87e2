import Foundation
import SQLite
import TestSupport
import Testing

/// `gc`: what it deletes for good, what it never does, and what it says.
@Suite struct GarbageTests {
  private let folder: TemporaryFolder
  private var archive: String { folder.path + "/archive" }

  /// Two notes, “one” and “two”, which share a photo and have one each of their own.
  init() throws {
    folder = try TemporaryFolder()
    for (text, own) in [("one", 1), ("two", 2)] {
      let files = try [own, 3].map { try folder.write("\($0).png", SamplePNG.bytes($0)) }
      let run = try run(["add"] + files + ["--text", text])
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(arguments, archive: archive)
  }

  private func run(_ arguments: String...) throws -> ProgramRun { try run(arguments) }

  /// Runs `gc`, and expects it to delete so many notes and originals.
  private func collect(_ options: String..., notes: Int, originals: Int) throws {
    let run = try run(["gc", "--json"] + options)
    #expect(run.status == 0, "\(run.errors)")
    let summary = try #require(run.objects.last)
    #expect(summary["type"] as? String == "summary")
    #expect(summary["notes"] as? Int == notes && summary["originals"] as? Int == originals)
    #expect((summary["bytes"] as? Int ?? 0 > 0) == (originals > 0))
  }

  /// Writes to the database behind the program's back.
  private func execute(_ sql: String) throws {
    try Database(path: archive + "/archive.db", mode: .readWrite).withConnection {
      connection throws(DatabaseError) in try connection.execute(sql)
    }
  }

  private func exportedFiles() throws -> Set<[UInt8]> {
    let export = folder.path + "/export-\(UUID().uuidString)"
    #expect(try run("export", export).status == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: export)
      .filter { $0.hasSuffix(".png") }
    return try Set(files.map { [UInt8](try Data(contentsOf: URL(filePath: export + "/" + $0))) })
  }

  @Test func `what is in use stays, byte for byte`() throws {
    try collect("--now", notes: 0, originals: 0)
    #expect(try exportedFiles() == Set([1, 2, 3].map { SamplePNG.bytes($0) }))
    #expect(try run("delete", "--text", "two", "--yes").status == 0)
    try collect("--now", "--yes", notes: 1, originals: 1)
    #expect(try exportedFiles() == Set([1, 3].map { SamplePNG.bytes($0) }))
    try collect("--now", notes: 0, originals: 0)
  }

  @Test func `the trash is kept for 30 days, and can be restored from until then`() throws {
    #expect(try run("delete", "--text", "two", "--yes").status == 0)
    try collect(notes: 0, originals: 0)
    try execute("UPDATE note SET deleted_at=deleted_at-29*86400000 WHERE deleted_at IS NOT NULL")
    try collect(notes: 0, originals: 0)
    #expect(try run("list", "--trash", "--json").objects.first?["text"] as? String == "two")
    try execute("UPDATE note SET deleted_at=deleted_at-2*86400000 WHERE deleted_at IS NOT NULL")
    try collect("--yes", notes: 1, originals: 1)
    #expect(try run("restore", "--text", "two").output == "Restored 0 notes.\n")
  }

  @Test func `a photo that was taken off its note is freed, unless another note has it`() throws {
    #expect(try run("edit", "--where", "text == 'one'", "--remove-photo", "2").status == 0)
    try collect(notes: 0, originals: 0)
    #expect(try run("edit", "--where", "text == 'one'", "--remove-photo", "1").status == 0)
    try collect(notes: 0, originals: 1)
    #expect(try exportedFiles() == Set([2, 3].map { SamplePNG.bytes($0) }))
  }

  @Test func `it asks before it deletes, and where nobody can answer it deletes nothing`() throws {
    #expect(try run("delete", "--text", "two", "--yes").status == 0)
    let refused = try run("gc", "--now")
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("1 note") && refused.errors.contains("--yes"))
    #expect(try run("restore", "--text", "two").output == "Restored 1 note.\n")
    #expect(try exportedFiles().count == 3)
    #expect(
      try run("gc", "--now").output == "Deleted 0 notes and 0 originals (0 bytes) for good.\n")
  }

  @Test func `a search index that has lost its words finds them again when it is rebuilt`() throws {
    try execute("INSERT INTO search_index(search_index) VALUES ('delete-all')")
    #expect(try run("count", "--text", "two").output == "0\n")
    try collect(notes: 0, originals: 0)
    #expect(try run("count", "--text", "two").output == "0\n")
    try collect("--rebuild-search", notes: 0, originals: 0)
    #expect(try run("count", "--text", "two").output == "1\n")
    #expect(try run("count", "--text", "3.png").output == "2\n")
  }

  @Test func `without an archive, or with an option that it does not have, it says so`() throws {
    let missing = try ProgramRun(["gc"], archive: folder.path + "/nowhere")
    #expect(missing.status == 10 && missing.errors.contains("nowhere"))
    #expect(try run("gc", "--where", "TRUEPREDICATE").status == 2)
    #expect(try run("gc", "--all").status == 2)
  }
}

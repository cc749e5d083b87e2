import Foundation
import NoteArchive
import SQLite
import TestSupport
import Testing

/// Kill it at any instant, run the same command again: the end is that of an undisturbed run.
@Suite struct KillTests {
  @Test(arguments: [ImportArguments.byFolder, .byPhoto, .all])
  func `an import that is killed again and again ends as if nothing had happened`(
    _ grouping: ImportArguments
  ) throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      let bytes = SamplePNG.bytes(number / 2, width: 300 + number / 2, height: 200)
      try folder.write("source/f\(number % 4)/\(number).png", bytes)
    }
    let command = ["import", folder.path + "/source", "--group-by", grouping.rawValue]
    let quiet = folder.path + "/quiet", killed = folder.path + "/killed"
    #expect(try ProgramRun(command, archive: quiet).status == 0)
    var generator = SplitMix(seed: 7)
    for _ in 0..<8 {
      let delay = Duration.milliseconds(Int.random(in: 5...150, using: &generator))
      _ = try ProgramRun(command, archive: killed, killAfter: delay)
      try checkIntegrity(killed)
    }
    #expect(try ProgramRun(command, archive: killed).status == 0)
    #expect(try state(of: killed) == state(of: quiet))
    #expect(try orphans(in: killed) == 0)
  }

  @Test func `gc frees what killed imports have stored and no note has`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      try folder.write("source/\(number).png", SamplePNG.bytes(number, width: 300, height: 200))
    }
    let archive = folder.path + "/archive"
    // One note in the end, so that there is none of what is stored until then.
    let command = ["import", folder.path + "/source", "--group-by", "all"]
    #expect(try ProgramRun(["init"], archive: archive).status == 0)
    var cutOff = 0
    for milliseconds in stride(from: 40, through: 200, by: 20) where cutOff < 3 {
      _ = try ProgramRun(command, archive: archive, killAfter: .milliseconds(milliseconds))
      if try orphans(in: archive) == 0 { continue }
      cutOff += 1
      #expect(try ProgramRun(["gc"], archive: archive).status == 0)
      #expect(try orphans(in: archive) == 0)
    }
    #expect(cutOff > 0)
    #expect(try ProgramRun(command, archive: archive).status == 0)
  }

  @Test func `an export that is killed again and again ends as if nothing had happened`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      try folder.write("source/\(number).png", SamplePNG.bytes(number, width: 300, height: 200))
    }
    let archive = folder.path + "/archive"
    let source = ["import", folder.path + "/source", "--group-by", "photo", "--text"]
    #expect(try ProgramRun(source + ["before"], archive: archive).status == 0)
    let quiet = folder.path + "/quiet", killed = folder.path + "/killed"
    #expect(try ProgramRun(["export", killed], archive: archive).status == 0)
    // All descriptions are to be replaced, at one and the same path.
    let edit = ["edit", "--where", "text == \"before\"", "--memo", "after"]
    #expect(try ProgramRun(edit, archive: archive).status == 0)
    #expect(try ProgramRun(["export", quiet], archive: archive).status == 0)
    let expected = try files(in: quiet)
    #expect(expected.count == 81)
    for milliseconds in stride(from: 20, through: 140, by: 20) {
      let delay = Duration.milliseconds(milliseconds)
      _ = try ProgramRun(["export", killed], archive: archive, killAfter: delay)
      let names = Set(try files(in: killed).keys.filter { !$0.hasPrefix(".") })
      #expect(names == Set(expected.keys), "nothing is away for a moment")
    }
    #expect(try ProgramRun(["export", killed], archive: archive).status == 0)
    #expect(try files(in: killed) == expected)
  }

  /// All files below a folder, by their paths in it.
  private func files(in folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = try Data(contentsOf: URL(filePath: path)) }
    }
    return files
  }

  enum ImportArguments: String, Sendable {
    case byFolder = "folder"
    case byPhoto = "photo"
    case all
  }

  /// What a user can see, without ids and times of the run.
  private func state(of path: String) throws -> [String] {
    try Archive.open(at: path).notes().map { note in
      "\(note.text) \(note.photos.map { "\($0.position) \($0.filename) \($0.digest)" })"
    }.sorted()
  }

  private func checkIntegrity(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path + "/archive.db") else { return }
    try Database(path: path + "/archive.db", mode: .readWrite).withConnection {
      connection throws(DatabaseError) in
      #expect(try connection.first("PRAGMA integrity_check") { $0.string(0) } == "ok")
      #expect(try connection.all("PRAGMA foreign_key_check") { $0.string(0) }.isEmpty)
    }
    for note in (try? Archive.open(at: path).notes()) ?? [] {
      #expect(note.photoCount > 0)
      for photo in note.photos {
        var hash = SHA256()
        var reader = try Archive.open(at: path).original(photo.digest)
        while let chunk = try reader.nextChunk() { hash.update(data: chunk) }
        #expect(hash.finalize() == photo.digest)
      }
    }
  }

  /// Originals that no photo names, and pieces that no original names.
  private func orphans(in path: String) throws -> Int? {
    try Database(path: path + "/archive.db", mode: .readOnly).withConnection {
      connection throws(DatabaseError) in
      try connection.first(
        """
        SELECT (SELECT count(*) FROM original WHERE id NOT IN (SELECT original FROM photo))
          + (SELECT count(*) FROM chunk WHERE id >> 20 NOT IN (SELECT id FROM original))
          + (SELECT count(*) FROM original WHERE id NOT IN (SELECT original FROM thumbnail))
        """
      ) { $0.int(0) }
    }
  }
}

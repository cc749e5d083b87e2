import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import NoteArchive

@Suite struct GarbageTests {
  private let folder: TemporaryFolder
  private let archive: Archive
  private let digests: [ContentDigest]

  /// Three originals of 8 MB each.
  init() throws {
    folder = try TemporaryFolder()
    archive = try Archive.openOrCreate(at: folder.path + "/a")
    digests = try archive.addEmptyOriginals(3)
    try archive.write { connection throws(DatabaseError) in
      try connection.execute(
        """
        INSERT INTO chunk WITH RECURSIVE number(n) AS (
            SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 7)
          SELECT original.id << 20 | n, randomblob(1048576) FROM original, number
        """)
    }
  }

  private func save(_ text: String, photo: Int) throws -> NoteID {
    var note = Note(text: text, moment: Moment(milliseconds: 0))
    note.photos = [
      Photo(
        position: 1, filename: "\(photo).jpg", digest: digests[photo],
        properties: PhotoProperties(format: "jpeg", width: 1, height: 1, byteSize: 1))
    ]
    try archive.save(note)
    return note.id
  }

  private func fileSize() throws -> Int {
    try archive.read { connection throws(DatabaseError) in
      try connection.first("PRAGMA page_count") { $0.int(0) } ?? 0
    } * 16_384
  }

  private func known() throws -> [Bool] {
    try digests.map { digest in try archive.knowledge(of: digest) != nil }
  }

  /// An import that has stored one of the originals, and made no note of it yet.
  private func session(storing photo: Int) throws -> ImportSession {
    let session = try ImportSession.begin(on: archive)
    try archive.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO import_item(session, number, path, filename, outcome, original)
        VALUES (?, 0, x'61', 'a', 'imported', (SELECT id FROM original WHERE digest=?))
        """, [.integer(session.id), .blob(digests[photo].bytes)])
    }
    return session
  }

  @Test func `what was deleted long ago is freed, with the originals that nothing else has`() throws
  {
    let kept = try save("kept", photo: 0)
    let deleted = try [save("both", photo: 0), save("gone", photo: 1)]
    _ = try archive.delete(deleted)
    let session = try session(storing: 2)
    let before = try fileSize()

    #expect(try archive.collectGarbage(deletedBefore: Date.now - 60) == Garbage())
    #expect(try archive.trashCount(deletedBefore: .now + 1) == 2)
    let garbage = try archive.collectGarbage(deletedBefore: .now + 1)
    #expect((garbage.notes, garbage.originals, garbage.byteCount) == (2, 1, 1))
    #expect(try known() == [true, false, true])
    #expect(try archive.note(kept) != nil)
    #expect(try archive.note(deleted[0]) == nil)
    #expect(try before - fileSize() > 7 << 20)
    #expect(try archive.isSearchIndexSound())

    try session.finish(ignored: 0, duplicate: 0)
    #expect(try archive.collectGarbage(deletedBefore: .now).originals == 1)
    #expect(try known() == [true, false, false])
  }

  @Test func `what an import that was cut off has left is freed once no import runs`() throws {
    _ = try session(storing: 0)  // Gone, and without an end.
    do {
      let running = try session(storing: 1)
      #expect(try archive.collectGarbage(deletedBefore: .now).originals == 1)
      #expect(try known() == [true, true, false])
      withExtendedLifetime(running) {}
    }
    #expect(try archive.collectGarbage(deletedBefore: .now).originals == 2)
    #expect(try known() == [false, false, false])
  }

  @Test func `what an import stores that begins while garbage is collected is left`() throws {
    var begun: ImportSession?
    var steps = 0
    _ = try archive.collectGarbage(deletedBefore: .now) {
      steps += 1  // The first is for notes, the next for originals.
      if steps == 2 { begun = try? session(storing: 0) }
      return false
    }
    #expect(begun != nil)
    #expect(try known() == [true, false, false])
    withExtendedLifetime(begun) {}
  }

  @Test func `a stop between two steps leaves the rest for the next time`() throws {
    _ = try archive.delete([save("gone", photo: 0)])
    var stepsLeft = 2
    let first = try archive.collectGarbage(deletedBefore: .now + 1) {
      stepsLeft -= 1
      return stepsLeft < 0
    }
    #expect((first.notes, first.originals) == (1, 0))
    #expect(try archive.collectGarbage(deletedBefore: .now + 1).originals == 3)
  }
}

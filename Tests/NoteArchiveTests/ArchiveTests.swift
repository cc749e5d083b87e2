import FoundationEssentials
import QueryLanguage
import SQLite
import TestSupport
import Testing

@testable import NoteArchive

@Suite struct ArchiveTests {
  private let folder = try? TemporaryFolder()
  private var path: String { (folder?.path ?? "") + "/archive" }

  @Test func `a note comes back as it was saved`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let note = Note(
      text: "雨 on the roof\n", memo: "", label: nil, tags: ["b", "a", "b"], favorite: true,
      moment: try #require(Moment(iso8601: "2024-05-31T10:15:00.250+09:00")))
    try archive.save(note)
    var expected = note
    expected.tags = ["b", "a"]
    expected.createdAt = Moment(note.createdAt).date  // To the millisecond.
    expected.modifiedAt = expected.createdAt
    #expect(try archive.note(note.id) == expected)
    #expect(try Archive.open(at: path).note(note.id) == expected)
  }

  @Test func `an edit that changes nothing leaves the time of the last change`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let note = Note(text: "a", moment: Moment(milliseconds: 0))
    try archive.save(note)
    let before = try archive.note(note.id)
    #expect(try archive.edit([note.id]) { $0.text = "a" } == 1)
    #expect(try archive.note(note.id) == before)
    _ = try archive.edit([note.id]) { $0.memo = "b" }
    #expect(try archive.note(note.id)?.memo == "b")
  }

  @Test func `what is deleted is in the trash until it is restored`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let notes = (0..<3).map { Note(text: "\($0)", moment: Moment(milliseconds: $0)) }
    for note in notes { try archive.save(note) }
    #expect(try archive.delete([notes[1].id, notes[1].id]) == 1)
    #expect(try archive.notes().map(\.text) == ["2", "0"])
    #expect(try archive.notes(NoteQuery(in: .trash)).map(\.text) == ["1"])
    #expect(try archive.count() == 2 && archive.count(in: .trash) == 1)
    #expect(try archive.restore(notes.map(\.id)) == 1)
    #expect(try archive.count() == 3)
  }

  @Test func `notes of one date come in the order of their ids, on every page`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let notes = (0..<20).map { Note(text: "\($0)", moment: Moment(milliseconds: $0 / 7)) }
    for note in notes.shuffled() { try archive.save(note) }
    let newestFirst = try archive.notes().map(\.text)
    #expect(newestFirst == notes.reversed().map(\.text))
    #expect(try archive.notes(NoteQuery(limit: 9)).map(\.text) == Array(newestFirst.prefix(9)))
  }

  @Test func `a unique beginning of an id is enough, and only that`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let notes = (0..<3).map { _ in Note(moment: Moment(milliseconds: 0)) }
    for note in notes { try archive.save(note) }
    let text = notes[1].id.description
    #expect(try archive.id(beginningWith: String(text.prefix(23))) == notes[1].id)
    #expect(throws: ArchiveError.ambiguousNote("0", count: 3)) {
      try archive.id(beginningWith: "0")
    }
    for wrong in ["", "f", "note", "%", "0' OR 1=1"] {
      #expect(throws: ArchiveError.noSuchNote(wrong)) { try archive.id(beginningWith: wrong) }
    }
  }

  @Test func `every index in use answers its list without a sort`() throws {
    let archive = try Archive.openOrCreate(at: path)
    for (predicate, index) in [
      (Query.Predicate.constant(true), "note_date"),
      (.equal("favorite", .bool(true)), "note_favorite"),
      (.equal("label", .string("x")), "note_label"),
    ] {
      let sql = try NoteQuery(predicate).sql()
      let plan = try archive.read { connection throws(DatabaseError) in
        try connection.rows("EXPLAIN QUERY PLAN \(sql)") { $0.string(3) }
      }.joined(separator: "\n")
      #expect(plan.contains(index) && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  @Test func `the constraints of the schema are those that every connection keeps`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let photo = Photo(
      position: 1, filename: "a", digest: SHA256.hash(data: [1, 2]),
      properties: PhotoProperties(format: "png", width: 1, height: 1, byteSize: 2))
    #expect(throws: ArchiveError.self) {
      try archive.save(Note(moment: Moment(milliseconds: 0), photos: [photo]))
    }
    #expect(try archive.count() == 0)
  }
}

@Suite struct OpeningTests {
  private let folder = try? TemporaryFolder()
  private var path: String { (folder?.path ?? "") + "/archive" }

  private func database(_ script: String) throws {
    try folder?.write("archive/.keep", [])
    try Database(path: path + "/archive.db", mode: .create)
      .withConnection { connection throws(DatabaseError) in try connection.execute(script) }
  }

  @Test func `what is not there is not made by opening it`() throws {
    #expect(throws: ArchiveError.noArchive(path: path)) { try Archive.open(at: path) }
    try folder?.write("archive/photo.jpg", [1])
    #expect(throws: ArchiveError.noArchive(path: path)) { try Archive.open(at: path) }
  }

  @Test func `a newer program's archive is refused and stays as it is`() throws {
    _ = try Archive.openOrCreate(at: path)
    let newer = Schema.currentVersion + 3
    try database("PRAGMA user_version=\(newer)")
    let before = try folder?.read("archive/archive.db")
    #expect(
      throws: ArchiveError.newerVersion(
        path: path, found: newer, supported: Schema.currentVersion)
    ) { try Archive.openOrCreate(at: path) }
    #expect(try folder?.read("archive/archive.db") == before)
  }

  @Test func `another program's database is refused and stays as it is`() throws {
    try database("CREATE TABLE t(a); INSERT INTO t VALUES (1)")
    let before = try folder?.read("archive/archive.db")
    #expect(throws: ArchiveError.self) { try Archive.openOrCreate(at: path) }
    #expect(try folder?.read("archive/archive.db") == before)
  }

  @Test func `a file that is no database, and a file in place of the folder, are refused`() throws {
    try folder?.write("archive/archive.db", Array("no database, but a text of some length".utf8))
    #expect(
      throws: ArchiveError.notAnArchive(
        path: path, reason: "its archive.db is not a database")
    ) { try Archive.openOrCreate(at: path) }
    let file = path + "/archive.db"
    #expect(throws: ArchiveError.notAnArchive(path: file, reason: "it is a file, not a folder")) {
      try Archive.openOrCreate(at: file)
    }
  }

  @Test func `an archive whose making was cut off is made at the next try`() throws {
    try folder?.write("archive/archive.db", [])
    _ = try Archive.openOrCreate(at: path)
    #expect(try Archive.open(at: path).count() == 0)
  }

  @Test func `another writer is waited for, and named when it does not end`() throws {
    let archive = try Archive.openOrCreate(at: path)
    let other = try Database(path: path + "/archive.db", mode: .readWrite, busyTimeout: .zero)
    try other.withConnection { connection throws(DatabaseError) in
      try connection.execute("BEGIN IMMEDIATE")
    }
    #expect(try archive.count() == 0)  // Reading goes on.
    let impatient = try Database(path: path + "/archive.db", mode: .readWrite, busyTimeout: .zero)
    let error = #expect(throws: DatabaseError.self) {
      try impatient.withConnection { connection throws(DatabaseError) in
        try connection.write { _ throws(DatabaseError) in }
      }
    }
    #expect(error.map { ArchiveError($0, path: path) } == .locked(path: path))
  }
}

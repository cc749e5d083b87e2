import QueryLanguage
import SQLite
import TestSupport
import Testing

@testable import NoteArchive

@Suite struct MigrationTests {
  /// A folder with an archive as the program of version `version` left it, filled by `script`.
  private func archive(ofVersion version: Int, _ script: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path + "/archive.db", mode: .create)
    try database.withConnection { connection throws(DatabaseError) in
      try connection.execute(Schema.creationPragmas)
      try connection.execute(Schema.connectionPragmas)
      try Schema.migrate(&connection, from: 0, to: version)
      try connection.execute(script)
    }
    return folder
  }

  @Test func `the notes of an archive of version 1 are indexed when it is opened`() throws {
    let folder = try archive(
      ofVersion: 1,
      """
      INSERT INTO note(uuid, text, memo, label, date, date_source, created_at, modified_at)
        VALUES (zeroblob(16), 'Kyōto 京都', NULL, 'trip', -86400001, 'given', 0, 0),
          (randomblob(16), 'nothing', 'in the rain', NULL, 1700000000123, 'exif', 0, 0);
      INSERT INTO tag VALUES (1, 'Temple');
      INSERT INTO note_tag VALUES (1, 0, 1);
      INSERT INTO original(digest, byte_size, format, width, height, damaged)
        VALUES (zeroblob(32), 1, 'jpeg', 1, 1, 0);
      INSERT INTO photo(note, position, original, filename) VALUES (2, 1, 1, 'IMG_0042.JPG');
      """)
    let archive = try Archive.open(at: folder.path)
    #expect(try archive.isSearchIndexSound())
    for (word, text) in [
      ("kyoto", "Kyōto 京都"), ("都", "Kyōto 京都"), ("TRIP", "Kyōto 京都"), ("temple", "Kyōto 京都"),
      ("rain", "nothing"), ("img_0042", "nothing"),
    ] {
      let query = NoteQuery(Catalog.mentions(word))
      #expect(try archive.source(of: query) == .index)
      #expect(try archive.notes(query).map(\.text) == [text], "\(word)")
    }
  }

  @Test func `the duplicates of an archive of version 3 are told once, and counted`() throws {
    let folder = try archive(
      ofVersion: 3,
      """
      INSERT INTO original(digest, byte_size, format, width, height, damaged)
        VALUES (zeroblob(32), 1, 'jpeg', 1, 1, 0);
      INSERT INTO import_session(started_at) VALUES (1), (2), (3);
      INSERT INTO import_item(session, number, path, filename, outcome, original) VALUES
        (1, 0, x'61', 'a', 'imported', 1), (1, 1, x'62', 'b', 'duplicate', 1),
        (2, 0, x'61', 'a', 'duplicate', 1), (2, 1, x'62', 'b', 'duplicate', 1),
        (3, 0, x'63', 'c', 'duplicate', 1), (3, 1, x'62', 'b', 'imported', 1);
      """)
    let archive = try Archive.open(at: folder.path)
    let (items, numbers) = try archive.read { connection throws(DatabaseError) in
      (
        try connection.all("SELECT session, number FROM import_item ORDER BY 1, 2") {
          [$0.int(0), $0.int(1)]
        },
        try connection.all("SELECT duplicate FROM import_session ORDER BY id") { $0.int(0) }
      )
    }
    #expect(items == [[1, 0], [1, 1], [3, 0], [3, 1]])
    #expect(numbers == [1, 2, 1])
  }

  @Test func `an archive of any version comes to the newest`() throws {
    for version in 0...Schema.currentVersion {
      let folder = try archive(ofVersion: version, "")
      try Archive.open(at: folder.path).save(Note(text: "x", moment: Moment(milliseconds: 0)))
      #expect(try Archive.open(at: folder.path).count() == 1)
    }
  }
}

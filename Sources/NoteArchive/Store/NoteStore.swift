import FoundationEssentials
import SQLite

/// The rows of notes, their tags and their photos; a row id is local to one archive.
enum NoteStore {
  static func insert(_ note: Note, _ connection: inout Connection) throws(DatabaseError) -> Int {
    try connection.run(
      """
      INSERT INTO note(uuid, text, memo, label, favorite, date, utc_offset, date_source,
        created_at, modified_at, deleted_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)
      """,
      [
        .blob(note.id.bytes), .text(note.text), .text(orNull: note.memo),
        .text(orNull: note.label), .bool(note.favorite), .integer(note.moment.milliseconds),
        .integer(orNull: note.moment.utcOffset), .text(note.dateSource.rawValue),
        .integer(milliseconds(note.createdAt)), .integer(milliseconds(note.modifiedAt)),
        .integer(orNull: note.deletedAt.map(milliseconds)),
      ])
    let row = connection.lastInsertedID
    try setTags(note.tags, of: row, &connection)
    for photo in note.photos { try insert(photo, on: row, &connection) }
    return row
  }

  /// Fails on a constraint where the photo's original is not stored.
  static func insert(
    _ photo: Photo, on row: Int, _ connection: inout Connection
  ) throws(DatabaseError) {
    try connection.run(
      """
      INSERT INTO photo(note, position, original, filename)
      VALUES (?,?,(SELECT id FROM original WHERE digest=?),?)
      """,
      [
        .integer(row), .integer(photo.position), .blob(photo.digest.bytes), .text(photo.filename),
      ])
  }

  /// Writes the fields of a note that is there; its photos stay as they are.
  static func update(_ note: Note, row: Int, _ connection: inout Connection) throws(DatabaseError) {
    try connection.run(
      """
      UPDATE note SET text=?, memo=?, label=?, favorite=?, date=?, utc_offset=?, date_source=?,
        modified_at=? WHERE id=?
      """,
      [
        .text(note.text), .text(orNull: note.memo), .text(orNull: note.label),
        .bool(note.favorite), .integer(note.moment.milliseconds),
        .integer(orNull: note.moment.utcOffset), .text(note.dateSource.rawValue),
        .integer(milliseconds(note.modifiedAt)), .integer(row),
      ])
    try setTags(note.tags, of: row, &connection)
  }

  /// Replaces the photos of a note; their positions are numbered anew, in the order given.
  static func setPhotos(
    _ photos: [Photo], of row: Int, _ connection: inout Connection
  ) throws(DatabaseError) {
    try connection.run("DELETE FROM photo WHERE note=?", [.integer(row)])
    for (index, photo) in photos.enumerated() {
      var photo = photo
      photo.position = index + 1
      try insert(photo, on: row, &connection)
    }
  }

  static func setTags(
    _ tags: [String], of row: Int, _ connection: inout Connection
  ) throws(DatabaseError) {
    try connection.run("DELETE FROM note_tag WHERE note=?", [.integer(row)])
    for (position, tag) in tags.enumerated() {
      try connection.run("INSERT OR IGNORE INTO tag(name) VALUES (?)", [.text(tag)])
      try connection.run(
        """
        INSERT OR IGNORE INTO note_tag(note, position, tag)
        VALUES (?,?,(SELECT id FROM tag WHERE name=?))
        """, [.integer(row), .integer(position), .text(tag)])
    }
  }

  /// The whole note, or nil where there is none with this row id.
  static func note(row: Int, _ connection: inout Connection) throws(DatabaseError) -> Note? {
    let found = try connection.first(
      """
      SELECT uuid, text, memo, label, favorite, date, utc_offset, date_source, created_at,
        modified_at, deleted_at FROM note WHERE id=?
      """, [.integer(row)]
    ) { (row: borrowing Row) -> Note? in
      guard let id = NoteID(bytes: row.blob(0)) else { return nil }
      return Note(
        id: id, text: row.string(1), memo: row.stringIfPresent(2), label: row.stringIfPresent(3),
        favorite: row.bool(4),
        moment: Moment(milliseconds: row.int(5), utcOffset: row.intIfPresent(6)),
        dateSource: DateSource(rawValue: row.string(7)) ?? .given, createdAt: date(row.int(8)),
        modifiedAt: date(row.int(9)), deletedAt: row.intIfPresent(10).map(date))
    }
    guard var note = found ?? nil else { return nil }
    note.tags = try connection.all(
      """
      SELECT tag.name FROM note_tag JOIN tag ON tag.id=note_tag.tag WHERE note_tag.note=?
      ORDER BY note_tag.position
      """, [.integer(row)]
    ) { $0.string(0) }
    note.photos = try photos(of: row, &connection)
    return note
  }

  static func photos(of row: Int, _ connection: inout Connection) throws(DatabaseError) -> [Photo] {
    let found = try connection.all(
      "SELECT \(photoColumns) FROM photo_detail WHERE note=? ORDER BY position", [.integer(row)]
    ) { photo($0) }
    return found.compactMap { $0 }
  }

  static let photoColumns = """
    position, filename, digest, format, width, height, byte_size, taken_at, utc_offset, damaged,
    camera_make, camera_model, latitude, longitude
    """

  /// Reads `photoColumns`.
  static func photo(_ row: borrowing Row) -> Photo? {
    guard let digest = ContentDigest(bytes: row.blob(2)) else { return nil }
    return Photo(
      position: row.int(0), filename: row.string(1), digest: digest,
      properties: PhotoProperties(row, from: 3))
  }

  static func row(of id: NoteID, _ connection: inout Connection) throws(DatabaseError) -> Int? {
    try connection.first("SELECT id FROM note WHERE uuid=?", [.blob(id.bytes)]) { $0.int(0) }
  }

  /// Takes a note into the trash or, with nil, out of it; gives 1 where it was not there before.
  static func setDeleted(
    at date: Date?, _ id: NoteID, _ connection: inout Connection
  ) throws(DatabaseError) -> Int {
    try connection.run(
      "UPDATE note SET deleted_at=? WHERE uuid=? AND (deleted_at IS NULL)=?",
      [.integer(orNull: date.map(milliseconds)), .blob(id.bytes), .bool(date != nil)])
    return connection.changeCount
  }

  static func milliseconds(_ date: Date) -> Int { Moment(date).milliseconds }
  static func date(_ milliseconds: Int) -> Date { Moment(milliseconds: milliseconds).date }
}

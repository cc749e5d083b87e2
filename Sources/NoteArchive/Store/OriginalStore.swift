import SQLite

/// An original as it is to be stored, with what was found out about it beforehand.
package struct NewOriginal: Sendable {
  package var digest: ContentDigest
  package var properties: PhotoProperties

  package init(digest: ContentDigest, properties: PhotoProperties) {
    (self.digest, self.properties) = (digest, properties)
  }
}

/// An original that is stored.
package struct KnownOriginal: Sendable {
  package var properties: PhotoProperties
  /// Whether a note outside the trash has it: if not, it waits for its note since a run that was
  /// cut off, or belongs to a note in the trash.
  package var isInUse: Bool
  package var hasThumbnail: Bool
}

/// The bytes of originals: each content once, in pieces of 1 MiB.
enum OriginalStore {
  static let chunkSize = 1 << 20

  static func id(of digest: ContentDigest, _ connection: inout Connection) throws(DatabaseError)
    -> Int?
  {
    try connection.first("SELECT id FROM original WHERE digest=?", [.blob(digest.bytes)]) {
      $0.int(0)
    }
  }

  /// Whether a note outside the trash has a photo of this content.
  static func isInUse(
    _ digest: ContentDigest, _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM original JOIN photo ON photo.original=original.id
      JOIN note ON note.id=photo.note AND note.deleted_at IS NULL WHERE digest=? LIMIT 1
      """, [.blob(digest.bytes)]
    ) { _ in true } ?? false
  }

  static func properties(
    of digest: ContentDigest, _ connection: inout Connection
  ) throws(DatabaseError) -> PhotoProperties? {
    try connection.first(
      """
      SELECT format, width, height, byte_size, taken_at, utc_offset, damaged, camera_make,
        camera_model, latitude, longitude FROM original WHERE digest=?
      """, [.blob(digest.bytes)]
    ) { PhotoProperties($0, from: 0) }
  }

  /// Stores the bytes that `fill` gives until it gives none, and returns the row's id with the
  /// digest of what came.
  ///
  /// The caller rolls back where that is not the digest which was announced.
  static func insert(
    _ original: NewOriginal, into connection: inout Connection,
    fill: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(DatabaseError) -> (id: Int, digest: ContentDigest) {
    let properties = original.properties
    try connection.run(
      """
      INSERT INTO original(digest, byte_size, format, width, height, taken_at, utc_offset, damaged,
        camera_make, camera_model, latitude, longitude) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
      """,
      [.blob(original.digest.bytes), .integer(properties.byteSize)] + described(properties))
    let id = connection.lastInsertedID
    var hash = SHA256()
    var number = 0
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
        count = fillWhole(UnsafeMutableRawBufferPointer(buffer), from: fill)
      }
      if chunk.isEmpty { break }
      hash.update(data: chunk)
      try connection.run(
        "INSERT INTO chunk(id, data) VALUES (?,?)", [.integer(id << 20 | number), .blob(chunk)])
      number += 1
      if chunk.count < chunkSize { break }
    }
    return (id, hash.finalize())
  }

  /// The values of the ten columns that decoding fills, `format` to `longitude`.
  static func described(_ properties: PhotoProperties) -> [Value] {
    [
      .text(properties.format), .integer(properties.width), .integer(properties.height),
      .integer(orNull: properties.taken?.milliseconds),
      .integer(orNull: properties.taken?.utcOffset), .bool(properties.damaged),
      .text(orNull: properties.cameraMake), .text(orNull: properties.cameraModel),
      .real(orNull: properties.latitude), .real(orNull: properties.longitude),
    ]
  }

  /// Asks until the buffer is full or nothing more comes: a read may give less than it could.
  private static func fillWhole(
    _ buffer: UnsafeMutableRawBufferPointer, from fill: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = fill(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// One piece of an original, or nil past its end.
  static func chunk(
    _ number: Int, of id: Int, _ connection: inout Connection
  ) throws(DatabaseError) -> [UInt8]? {
    try connection.first("SELECT data FROM chunk WHERE id=?", [.integer(id << 20 | number)]) {
      $0.blob(0)
    }
  }
}

extension PhotoProperties {
  /// Reads the eleven columns `format` to `longitude` of an original, of which the first is `column`.
  init(_ row: borrowing Row, from column: Int) {
    let utcOffset = row.intIfPresent(column + 5)
    self.init(
      format: row.string(column), width: row.int(column + 1), height: row.int(column + 2),
      byteSize: row.int(column + 3),
      taken: row.intIfPresent(column + 4).map { Moment(milliseconds: $0, utcOffset: utcOffset) },
      damaged: row.bool(column + 6), cameraMake: row.stringIfPresent(column + 7),
      cameraModel: row.stringIfPresent(column + 8), latitude: row.doubleIfPresent(column + 9),
      longitude: row.doubleIfPresent(column + 10))
  }
}

/// Reads one original from its first byte to its last, a piece at a time.
public struct OriginalReader: Sendable {
  private let archive: Archive
  private let id: Int
  private var next = 0
  private var chunk: ArraySlice<UInt8> = []

  init(archive: Archive, id: Int) { (self.archive, self.id) = (archive, id) }

  /// The next bytes, 1 MiB at most, or nil at the end.
  public mutating func nextChunk() throws(ArchiveError) -> [UInt8]? {
    let (id, number) = (id, next)
    next += 1
    return try archive.readOriginal { connection throws(DatabaseError) in
      try OriginalStore.chunk(number, of: id, &connection)
    }
  }

  /// Fills a part of `buffer` and returns how many bytes; 0 at the end.
  public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
  {
    if chunk.isEmpty { chunk = try nextChunk()?[...] ?? [] }
    let count = min(buffer.count, chunk.count)
    buffer.copyBytes(from: chunk.prefix(count))
    chunk.removeFirst(count)
    return count
  }
}

extension Archive {
  /// Reads the original of a photo, byte for byte as it came.
  public func original(_ digest: ContentDigest) throws(ArchiveError) -> OriginalReader {
    let id = try read { connection throws(DatabaseError) in
      try OriginalStore.id(of: digest, &connection)
    }
    guard let id else { throw .noSuchOriginal(digest) }
    return OriginalReader(archive: self, id: id)
  }

  /// What is known of a content before any of it is decoded, or nil where it is not stored.
  package func knowledge(of digest: ContentDigest) throws(ArchiveError) -> KnownOriginal? {
    try read { connection throws(DatabaseError) in
      guard let properties = try OriginalStore.properties(of: digest, &connection) else {
        return nil
      }
      let hasThumbnail = try connection.first(
        """
        SELECT 1 FROM thumbnail JOIN original ON original.id=thumbnail.original WHERE digest=?
        """, [.blob(digest.bytes)]
      ) { _ in true }
      return KnownOriginal(
        properties: properties, isInUse: try OriginalStore.isInUse(digest, &connection),
        hasThumbnail: hasThumbnail ?? false)
    }
  }
}

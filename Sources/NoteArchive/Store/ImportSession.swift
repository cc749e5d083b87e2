import FoundationEssentials
import SQLite

/// What became of one file of an import.
package enum ImportOutcome: String, Sendable {
  /// Its original is stored; a note names it once `commitNote` has returned.
  case imported
  /// Its content was in the archive already, or came earlier in the same run.
  case duplicate
  case failed
}

/// One import and all that it brought: every original that it stores is known to it, so that a run
/// which is cut off loses nothing and leaves nothing unaccounted for.
package struct ImportSession: Sendable {
  package let archive: Archive
  package let id: Int
  /// Keeps what no note has yet from being taken for garbage.
  private let sign: RunningImport

  /// A file that was looked at, by its number in the run, from 0.
  package struct Item: Sendable {
    package var number: Int
    /// The path as the system gave it: any bytes but 0.
    package var path: [UInt8]
    package var filename: String

    package init(number: Int, path: [UInt8], filename: String) {
      (self.number, self.path, self.filename) = (number, path, filename)
    }
  }

  /// Begins a session, which is in the archive from now on, and runs for as long as a copy of it
  /// lives: what it has stored, and no note has, is free to go after that.
  package static func begin(on archive: Archive) throws(ArchiveError) -> ImportSession {
    // Before the row: a session without a sign is over.
    let sign = try RunningImport(in: archive.path)
    let now = NoteStore.milliseconds(.now)
    let id = try archive.write { connection throws(DatabaseError) in
      try connection.run("INSERT INTO import_session(started_at) VALUES (?)", [.integer(now)])
      return connection.lastInsertedID
    }
    return ImportSession(archive: archive, id: id, sign: sign)
  }

  /// Marks the session as run to its end, and keeps the numbers that its items don't tell.
  package func finish(ignored: Int, duplicate: Int) throws(ArchiveError) {
    let (id, now) = (id, NoteStore.milliseconds(.now))
    try archive.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE import_session SET finished_at=?, ignored=?, duplicate=? WHERE id=?",
        [.integer(now), .integer(ignored), .integer(duplicate), .integer(id)])
    }
    try archive.checkpoint()
  }

  /// Makes one file's original and thumbnail durable, unless its content is a duplicate.
  ///
  /// `fill` gives the bytes from the first to the last, and 0 at the end; it is asked only where
  /// the content is not stored yet. Throws `.sourceChanged` where they are not those of the digest.
  package func store(
    _ original: NewOriginal, thumbnail: StoredThumbnail?, of item: Item, allowDuplicate: Bool,
    fill: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(ArchiveError) -> ImportOutcome {
    var found = original.digest
    // The transaction has to be undone where the digest is wrong, and only an error undoes it.
    let wrongDigest = DatabaseError(code: 0, message: "other content")
    do throws(ArchiveError) {
      return try archive.write { connection throws(DatabaseError) in
        var isDuplicate = false
        if !allowDuplicate {
          isDuplicate = try OriginalStore.isInUse(original.digest, &connection)
          if !isDuplicate { isDuplicate = try isTaken(original.digest, &connection) }
        }
        var row = try OriginalStore.id(of: original.digest, &connection)
        let isKnown = row != nil
        if row == nil, !isDuplicate {
          let stored = try OriginalStore.insert(original, into: &connection, fill: fill)
          found = stored.digest
          guard found == original.digest else { throw wrongDigest }
          row = stored.id
        }
        if let thumbnail, let row, !isDuplicate {
          try ThumbnailStore.put(
            thumbnail, of: row, properties: isKnown ? original.properties : nil, &connection)
        }
        let outcome = isDuplicate ? ImportOutcome.duplicate : .imported
        try record(item, outcome, original: row, &connection)
        return outcome
      }
    } catch {
      if found != original.digest {
        throw .sourceChanged(expected: original.digest, found: found)
      }
      throw error
    }
  }

  /// What became of a file of which nothing was stored.
  package struct Record: Sendable {
    fileprivate let item: Item
    fileprivate let outcome: ImportOutcome
    fileprivate var digest: ContentDigest?
    fileprivate var reason: String?
    fileprivate var detail: String?

    /// A photo whose content a note has already.
    package static func duplicate(_ item: Item, of digest: ContentDigest) -> Record {
      Record(item: item, outcome: .duplicate, digest: digest)
    }

    /// A file that could not be imported.
    package static func failure(_ item: Item, reason: String, detail: String) -> Record {
      Record(item: item, outcome: .failed, reason: reason, detail: detail)
    }
  }

  /// Enters what became of some files, in one transaction: each would wait for the disk.
  package func enter(_ records: [Record]) throws(ArchiveError) {
    if records.isEmpty { return }
    try archive.write { connection throws(DatabaseError) in
      for record in records {
        var original: Int?
        if let digest = record.digest { original = try OriginalStore.id(of: digest, &connection) }
        try self.record(
          record.item, record.outcome, original: original, reason: record.reason,
          detail: record.detail, &connection)
      }
    }
  }

  /// Commits a note with the photos that the session stored as items `numbers`, in their order.
  ///
  /// With `existing`, the photos are added at the end of that note instead. Gives the number of
  /// photos; where there are none, there is no note. One small transaction: the bytes are there.
  package func commitNote(
    _ note: Note, existing: NoteID?, items numbers: ClosedRange<Int>
  ) throws(ArchiveError) -> Int {
    let id = id
    let now = NoteStore.milliseconds(.now)
    return try archive.write { connection throws(DatabaseError) in
      let range: [Value] = [
        .integer(id), .integer(numbers.lowerBound), .integer(numbers.upperBound),
      ]
      let items = "import_item WHERE session=? AND number BETWEEN ? AND ? AND outcome='imported'"
      let count = try connection.first("SELECT count(*) FROM \(items)", range) { $0.int(0) } ?? 0
      guard count > 0 else { return 0 }
      let row =
        if let existing {
          try NoteStore.row(of: existing, &connection) ?? 0  // 0 fails on the foreign key.
        } else {
          try NoteStore.insert(note, &connection)
        }
      try connection.run(
        """
        INSERT INTO photo(note, position, original, filename)
        SELECT ?, (SELECT coalesce(max(position), 0) FROM photo WHERE note=?)
          + row_number() OVER (ORDER BY number), original, filename FROM \(items)
        """, [.integer(row), .integer(row)] + range)
      try connection.run(
        """
        UPDATE import_item SET note=? WHERE session=? AND number BETWEEN ? AND ?
          AND outcome='imported'
        """, [.integer(row)] + range)
      if existing != nil {
        try connection.run(
          "UPDATE note SET modified_at=? WHERE id=?", [.integer(now), .integer(row)])
      }
      return count
    }
  }

  /// The earliest capture time among the photos that were stored as items `numbers`.
  package func earliestCapture(ofItems numbers: ClosedRange<Int>) throws(ArchiveError) -> Moment? {
    let id = id
    return try archive.read { connection throws(DatabaseError) in
      try connection.first(
        """
        SELECT taken_at, original.utc_offset FROM import_item
        JOIN original ON original.id=import_item.original
        WHERE session=? AND number BETWEEN ? AND ? AND outcome='imported' AND taken_at IS NOT NULL
        ORDER BY taken_at, number LIMIT 1
        """, [.integer(id), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
      ) { Moment(milliseconds: $0.int(0), utcOffset: $0.intIfPresent(1)) }
    }
  }

  /// Whether this run has stored the same content before.
  private func isTaken(
    _ digest: ContentDigest, _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    try connection.first(
      """
      SELECT 1 FROM original JOIN import_item ON import_item.original=original.id
      WHERE digest=? AND session=? AND outcome='imported' LIMIT 1
      """, [.blob(digest.bytes), .integer(id)]
    ) { _ in true } ?? false
  }

  /// Whether an earlier run, or this one, has met the same content at the same path.
  private func isToldAlready(
    _ item: Item, _ original: Int?, _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    try connection.first(
      "SELECT 1 FROM import_item WHERE path=? AND original=? LIMIT 1",
      [.blob(item.path), .integer(orNull: original)]
    ) { _ in true } ?? false
  }

  private func record(
    _ item: Item, _ outcome: ImportOutcome, original: Int?, reason: String? = nil,
    detail: String? = nil, _ connection: inout Connection
  ) throws(DatabaseError) {
    // A photo is no duplicate of itself: a source that comes again and again would leave a row each
    // time for each of its files.
    if outcome == .duplicate, try isToldAlready(item, original, &connection) { return }
    try connection.run(
      """
      INSERT INTO import_item(session, number, path, filename, outcome, reason, detail, original)
      VALUES (?,?,?,?,?,?,?,?)
      """,
      [
        .integer(id), .integer(item.number), .blob(item.path), .text(item.filename),
        .text(outcome.rawValue), .text(orNull: reason), .text(orNull: detail),
        .integer(orNull: original),
      ])
  }
}

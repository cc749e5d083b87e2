public import FoundationEssentials
import SQLite

/// What was deleted for good, or what would be.
public struct Garbage: Sendable, Hashable {
  /// Notes from the trash.
  public var notes = 0
  /// Originals that no note has any more.
  public var originals = 0
  /// Bytes of those originals.
  public var byteCount = 0

  /// Nothing.
  public init() {}
}

extension Archive {
  /// How many notes have been in the trash since before `date`.
  public func trashCount(deletedBefore date: Date) throws(ArchiveError) -> Int {
    let cutoff = NoteStore.milliseconds(date)
    return try read { connection throws(DatabaseError) in
      try connection.first("SELECT count(*) FROM note WHERE deleted_at<=?", [.integer(cutoff)]) {
        $0.int(0)
      } ?? 0
    }
  }

  /// Deletes for good the notes that have been in the trash since before `date`, and the originals
  /// that no note and no running import has (what an import that was cut off has left waits for the
  /// next call, while another one runs), brings the search index into its best form, and gives
  /// the file's empty pages back to the disk.
  ///
  /// Each step is a small transaction; cut off, it is taken up again by the next call. `shouldStop`
  /// is asked before each.
  public func collectGarbage(
    deletedBefore date: Date, shouldStop: () -> Bool = { false }
  ) throws(ArchiveError) -> Garbage {
    var garbage = Garbage()
    let cutoff = NoteStore.milliseconds(date)
    while !shouldStop() {
      let count = try write { connection throws(DatabaseError) in
        try connection.run(
          """
          DELETE FROM note WHERE id IN (
            SELECT id FROM note WHERE deleted_at<=? ORDER BY deleted_at LIMIT 100)
          """, [.integer(cutoff)])
        return connection.changeCount
      }
      if count == 0 { break }
      garbage.notes += count
    }
    let lastOver = try lastSessionOver()
    var last = 0
    while !shouldStop(),
      let (id, size) = try deleteOriginalWithoutUse(after: last, sessionsOverTo: lastOver)
    {
      last = id
      garbage.originals += 1
      garbage.byteCount += size
    }
    if !shouldStop() {
      try write { connection throws(DatabaseError) in
        try connection.run("DELETE FROM tag WHERE id NOT IN (SELECT tag FROM note_tag)")
      }
    }
    try mergeSearchIndex(shouldStop: shouldStop)
    while !shouldStop(), try giveBackPages() {}
    return garbage
  }

  /// The last session at a moment when no import ran, or 0 where one runs now.
  ///
  /// It and those before it are over, those that were killed and have no end among them.
  private func lastSessionOver() throws(ArchiveError) -> Int {
    try RunningImport.whileThereIsNone(in: path) { () throws(ArchiveError) in
      try read { connection throws(DatabaseError) in
        try connection.first("SELECT coalesce(max(id), 0) FROM import_session") { $0.int(0) } ?? 0
      }
    } ?? 0
  }

  /// Deletes the next original that is not in use, and tells its row and its bytes; nil after the
  /// last.
  private func deleteOriginalWithoutUse(
    after last: Int, sessionsOverTo lastOver: Int
  ) throws(ArchiveError) -> (id: Int, size: Int)? {
    try writeUnindexed { connection throws(DatabaseError) in
      let found = try connection.first(
        """
        SELECT id, byte_size FROM original
        WHERE id>? AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.original=original.id)
          AND NOT EXISTS (
            SELECT 1 FROM import_item JOIN import_session ON import_session.id=session
            WHERE import_item.original=original.id AND session>? AND finished_at IS NULL)
        ORDER BY id LIMIT 1
        """, [.integer(last), .integer(lastOver)]
      ) { (id: $0.int(0), size: $0.int(1)) }
      guard let found else { return nil }
      try connection.run(
        "DELETE FROM chunk WHERE id BETWEEN ? AND ?",
        [.integer(found.id << 20), .integer(found.id << 20 | 0xF_FFFF)])
      try connection.run("DELETE FROM original WHERE id=?", [.integer(found.id)])
      return found
    }
  }

  /// Gives up to 4 MB of empty pages back to the disk, and tells whether there are more.
  ///
  /// One step took up to 13 ms: other programs hardly notice.
  private func giveBackPages() throws(ArchiveError) -> Bool {
    try writeUnindexed { connection throws(DatabaseError) in
      try connection.execute("PRAGMA incremental_vacuum(250)")
      return try connection.first("PRAGMA freelist_count") { $0.int(0) > 0 } ?? false
    }
  }
}

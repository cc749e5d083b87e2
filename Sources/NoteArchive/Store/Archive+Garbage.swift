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
  /// that no note and no running import has, brings the search index into its best form, and gives
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
    while !shouldStop(), let size = try deleteOriginalWithoutUse() {
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

  /// Deletes one original, and tells its bytes; nil where each is in use.
  private func deleteOriginalWithoutUse() throws(ArchiveError) -> Int? {
    try writeUnindexed { connection throws(DatabaseError) in
      let found = try connection.first(
        """
        SELECT id, byte_size FROM original
        WHERE NOT EXISTS (SELECT 1 FROM photo WHERE photo.original=original.id)
          AND NOT EXISTS (
            SELECT 1 FROM import_item JOIN import_session ON import_session.id=session
            WHERE import_item.original=original.id AND finished_at IS NULL)
        LIMIT 1
        """
      ) { (id: $0.int(0), size: $0.int(1)) }
      guard let found else { return nil }
      try connection.run(
        "DELETE FROM chunk WHERE id BETWEEN ? AND ?",
        [.integer(found.id << 20), .integer(found.id << 20 | 0xF_FFFF)])
      try connection.run("DELETE FROM original WHERE id=?", [.integer(found.id)])
      return found.size
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

extension Migration {
  /// The search index: the folded text of each note outside the trash, and the words of it in FTS5.
  ///
  /// The key of a note is `(seconds since 1970 + 2^34) << 28 | note.id`, so that the index gives
  /// what it finds in the order of dates, and a range of dates is a range of keys. The triggers say
  /// which notes are not as they are indexed, whoever writes; `SearchIndex` brings them up to date.
  static let version2 = Migration(
    script: """
      -- `text` is null where there is too much of it to index: such a note is a candidate always.
      CREATE TABLE search_document(key INTEGER PRIMARY KEY, text TEXT) STRICT;
      CREATE VIRTUAL TABLE search_index USING fts5(
        words, content='', detail=none, columnsize=0, tokenize='ascii');
      -- Flushing every 16 MB rather than every 1 MB fills the index a third faster.
      INSERT INTO search_index(search_index, rank) VALUES ('hashsize', 16777216);

      -- The notes that have changed since they were indexed, under the key that they then had.
      CREATE TABLE search_pending(key INTEGER PRIMARY KEY, note INTEGER NOT NULL UNIQUE) STRICT;
      INSERT INTO search_pending SELECT \(key("note")), id FROM note WHERE deleted_at IS NULL;
      CREATE TRIGGER note_inserted_search AFTER INSERT ON note BEGIN
        INSERT OR IGNORE INTO search_pending VALUES (\(key("new")), new.id);
      END;
      CREATE TRIGGER note_updated_search AFTER UPDATE OF text, memo, label, date, deleted_at ON note
        WHEN old.text IS NOT new.text OR old.memo IS NOT new.memo OR old.label IS NOT new.label
          OR old.date IS NOT new.date OR (old.deleted_at IS NULL) IS NOT (new.deleted_at IS NULL)
      BEGIN
        INSERT OR IGNORE INTO search_pending VALUES (\(key("old")), old.id);
      END;
      CREATE TRIGGER note_deleted_search AFTER DELETE ON note BEGIN
        INSERT OR IGNORE INTO search_pending VALUES (\(key("old")), old.id);
      END;
      \(pendingTrigger("INSERT", on: "note_tag", row: "new"))
      \(pendingTrigger("DELETE", on: "note_tag", row: "old"))
      \(pendingTrigger("INSERT", on: "photo", row: "new"))
      \(pendingTrigger("DELETE", on: "photo", row: "old"))
      \(pendingTrigger("UPDATE OF filename", on: "photo", row: "new"))

      -- Whether a note that the index finds is a favorite, without a look at the note: hence the
      -- columns that are the same throughout.
      CREATE INDEX note_favorite_id ON note(id, favorite, deleted_at)
        WHERE favorite=1 AND deleted_at IS NULL;
      -- The index takes a wall clock to be at most a day away from UTC.
      \(offsetTrigger("INSERT"))
      \(offsetTrigger("UPDATE OF utc_offset"))
      """)

  private static func key(_ row: String) -> String {
    "((\(row).date + 17179869184000) / 1000) << 28 | \(row).id"
  }

  /// A note that is being deleted is found no more: its own trigger has seen to it.
  private static func pendingTrigger(_ event: String, on table: String, row: String) -> String {
    """
    CREATE TRIGGER \(table)_\(event.prefix(6).lowercased())_search AFTER \(event) ON \(table) BEGIN
      INSERT OR IGNORE INTO search_pending
        SELECT \(key("note")), id FROM note WHERE id=\(row).note;
    END;
    """
  }

  private static func offsetTrigger(_ event: String) -> String {
    """
    CREATE TRIGGER note_offset_\(event.prefix(6).lowercased()) BEFORE \(event) ON note
      WHEN abs(new.utc_offset) > 86400
    BEGIN
      SELECT RAISE(ABORT, 'a clock that is more than a day away from UTC');
    END;
    """
  }
}

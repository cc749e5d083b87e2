extension Migration {
  /// The log of changes, for lists that stay live.
  ///
  /// It has a row for each record that was ever written, which moves to the end with the next write:
  /// a million photos added to a note leave one row. Triggers see what a program's own bookkeeping
  /// would miss, such as what a foreign key takes along. The conflict clause of the statement that
  /// fires a trigger holds inside it too, so that `INSERT OR REPLACE` would not do.
  static let version3 = Migration(
    script: """
      CREATE TABLE change(
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        entity TEXT NOT NULL,
        record INTEGER NOT NULL,
        UNIQUE(entity, record)
      ) STRICT;
      -- A reader that is further behind looks at everything: `ChangeLog.length`.
      CREATE TRIGGER change_trimmed AFTER INSERT ON change WHEN new.seq % 1000 = 0 BEGIN
        DELETE FROM change WHERE seq <= new.seq - 10000;
      END;

      \(logging("note_inserted", "INSERT ON note", "new.id"))
      -- Photos come and go with `photo_count`.
      \(logging(
        "note_updated", """
          UPDATE ON note WHEN
            (old.text, old.memo, old.label, old.favorite, old.date, old.utc_offset, old.date_source,
              old.created_at, old.modified_at, old.deleted_at, old.photo_count) IS NOT
            (new.text, new.memo, new.label, new.favorite, new.date, new.utc_offset, new.date_source,
              new.created_at, new.modified_at, new.deleted_at, new.photo_count)
          """, "new.id"))
      \(logging("note_removed", "DELETE ON note", "old.id"))
      \(logging("note_tag_inserted", "INSERT ON note_tag", "new.note"))
      \(logging("note_tag_updated", "UPDATE ON note_tag", "new.note"))
      \(logging("note_tag_removed", "DELETE ON note_tag", "old.note"))
      \(logging("photo_updated", "UPDATE ON photo", "new.note"))
      \(logging("tag_updated", "UPDATE ON tag", among: "SELECT note FROM note_tag WHERE tag=new.id"))
      \(logging(
        "original_updated", "UPDATE ON original",
        among: "SELECT note FROM photo WHERE original=new.id"))
      """)

  /// A trigger that logs one note.
  private static func logging(_ name: String, _ event: String, _ note: String) -> String {
    """
    CREATE TRIGGER \(name) AFTER \(event) BEGIN
      DELETE FROM change WHERE entity='note' AND record=\(note);
      INSERT INTO change(entity, record) VALUES ('note', \(note));
    END;
    """
  }

  /// A trigger that logs several notes.
  private static func logging(_ name: String, _ event: String, among notes: String) -> String {
    """
    CREATE TRIGGER \(name) AFTER \(event) BEGIN
      DELETE FROM change WHERE entity='note' AND record IN (\(notes));
      INSERT INTO change(entity, record) SELECT 'note', id FROM note WHERE id IN (\(notes));
    END;
    """
  }
}

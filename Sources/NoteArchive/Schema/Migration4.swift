extension Migration {
  /// Duplicates that are told once: a source that is imported every night has a row for each of its
  /// files from the first night, and the later sessions have their number.
  ///
  /// Without this, a night's run over a million known photos added a million rows.
  static let version4 = Migration(
    script: """
      ALTER TABLE import_session ADD COLUMN duplicate INTEGER NOT NULL DEFAULT 0;
      UPDATE import_session SET duplicate=(
        SELECT count(*) FROM import_item WHERE session=import_session.id AND outcome='duplicate');
      CREATE INDEX import_item_path ON import_item(path, original);
      DELETE FROM import_item WHERE outcome='duplicate' AND EXISTS (
        SELECT 1 FROM import_item earlier
        WHERE earlier.path=import_item.path AND earlier.original=import_item.original
          AND (earlier.session, earlier.number) < (import_item.session, import_item.number));
      """)
}

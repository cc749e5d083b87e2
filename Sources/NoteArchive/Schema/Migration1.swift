extension Migration {
  /// Notes, photos, originals, thumbnails, import sessions.
  ///
  /// Times are milliseconds since 1970. Blobs never share a table with what is searched: a scan of
  /// the notes must not read past pictures.
  static let version1 = Migration(
    script: """
      CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

      -- `id` is local to this file; `uuid` travels.
      CREATE TABLE note(
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK(id BETWEEN 1 AND 268435455),
        uuid BLOB NOT NULL UNIQUE CHECK(length(uuid)=16),
        text TEXT NOT NULL DEFAULT '',
        memo TEXT,
        label TEXT,
        favorite INTEGER NOT NULL DEFAULT 0 CHECK(favorite IN (0,1)),
        date INTEGER NOT NULL CHECK(date BETWEEN -17179869184000 AND 17179869183999),
        utc_offset INTEGER,
        date_source TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        modified_at INTEGER NOT NULL,
        deleted_at INTEGER,
        photo_count INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      -- Every list is a list of what is not in the trash.
      CREATE INDEX note_date ON note(date, uuid) WHERE deleted_at IS NULL;
      CREATE INDEX note_favorite ON note(date, uuid) WHERE favorite=1 AND deleted_at IS NULL;
      CREATE INDEX note_label ON note(label, date, uuid) WHERE deleted_at IS NULL;
      CREATE INDEX note_created ON note(created_at, uuid) WHERE deleted_at IS NULL;
      CREATE INDEX note_modified ON note(modified_at, uuid) WHERE deleted_at IS NULL;
      CREATE INDEX note_deleted ON note(deleted_at) WHERE deleted_at IS NOT NULL;

      CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE note_tag(
        note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        tag INTEGER NOT NULL REFERENCES tag(id),
        PRIMARY KEY(note, position)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX note_tag_tag ON note_tag(tag, note);

      -- One row for each distinct content, with what the bytes say of themselves.
      -- `volume` 0: the bytes are in `chunk`.
      CREATE TABLE original(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE CHECK(length(digest)=32),
        byte_size INTEGER NOT NULL,
        volume INTEGER NOT NULL DEFAULT 0,
        format TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        taken_at INTEGER,
        utc_offset INTEGER,
        damaged INTEGER NOT NULL CHECK(damaged IN (0,1)),
        camera_make TEXT,
        camera_model TEXT,
        latitude REAL,
        longitude REAL
      ) STRICT;
      -- `id` is original<<20 | number, from 0; each holds 1 MiB, the last one the rest.
      CREATE TABLE chunk(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

      CREATE TABLE thumbnail(
        original INTEGER PRIMARY KEY REFERENCES original(id) ON DELETE CASCADE,
        longest_edge INTEGER NOT NULL,
        quality INTEGER NOT NULL,
        algorithm TEXT NOT NULL,
        format TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        data BLOB NOT NULL
      ) STRICT;
      -- Answers which thumbnails are stale without a look at their bytes.
      CREATE INDEX thumbnail_recipe ON thumbnail(algorithm, longest_edge, quality);
      CREATE TABLE thumbnail_failure(
        original INTEGER PRIMARY KEY REFERENCES original(id) ON DELETE CASCADE,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL
      ) STRICT;

      CREATE TABLE photo(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        note INTEGER NOT NULL REFERENCES note(id) ON DELETE CASCADE,
        position INTEGER NOT NULL CHECK(position >= 1),
        original INTEGER NOT NULL REFERENCES original(id),
        filename TEXT NOT NULL,
        UNIQUE(note, position)
      ) STRICT;
      CREATE INDEX photo_original ON photo(original);
      CREATE TRIGGER photo_inserted AFTER INSERT ON photo BEGIN
        UPDATE note SET photo_count=photo_count+1 WHERE id=new.note;
      END;
      CREATE TRIGGER photo_deleted AFTER DELETE ON photo BEGIN
        UPDATE note SET photo_count=photo_count-1 WHERE id=old.note;
      END;
      CREATE VIEW photo_detail AS
        SELECT photo.id, photo.note, photo.position, photo.filename, photo.original,
          original.digest, original.format, original.width, original.height, original.byte_size,
          original.taken_at, original.utc_offset, original.damaged, original.camera_make,
          original.camera_model, original.latitude, original.longitude
        FROM photo JOIN original ON original.id=photo.original;

      -- `finished_at` stays null where a run was cut off.
      CREATE TABLE import_session(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started_at INTEGER NOT NULL,
        finished_at INTEGER,
        ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      -- A stored original that no photo names yet is known here.
      CREATE TABLE import_item(
        session INTEGER NOT NULL REFERENCES import_session(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        path BLOB NOT NULL,
        filename TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT,
        detail TEXT,
        original INTEGER REFERENCES original(id) ON DELETE SET NULL,
        note INTEGER REFERENCES note(id) ON DELETE SET NULL,
        PRIMARY KEY(session, number)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX import_item_original ON import_item(original);
      CREATE INDEX import_item_note ON import_item(note);
      """)
}

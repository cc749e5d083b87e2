public import QueryLanguage

/// What can be asked about an archive: notes and their photos.
public enum Catalog {
  /// The notes that are not in the trash.
  public static let note: Query.Entity = .init(
    "note", table: "note", identity: ["@.uuid"],
    fields: [
      .scalar("id", .string, column: "note_id(@.uuid)", "Identity: a UUID, which sorts by age"),
      .scalar("text", .string, "The note itself; may be empty"),
      .scalar("memo", .string, nullable: true, "A remark"),
      .scalar("label", .string, nullable: true, "One of a few kinds"),
      Query.Field(
        "tags",
        .scalars(
          .string, column: "(SELECT name FROM tag WHERE tag.id=@.tag)",
          .init(table: "note_tag", join: "@.note=^.id", order: ["@.position"])),
        "Words, in order"),
      .scalar("favorite", .boolean, "Marked as a favorite"),
      .scalar("date", .date, "What the note is about: an instant"),
      .scalar(
        "localDate", .date, column: "(@.date + coalesce(@.utc_offset, 0) * 1000)",
        "The same by the clock on the wall there, as if it were UTC"),
      .scalar("createdAt", .date, column: "@.created_at", "When it entered the archive"),
      .scalar("modifiedAt", .date, column: "@.modified_at", "When it last changed"),
      .scalar("photoCount", .integer, column: "@.photo_count", "How many photos it has"),
      Query.Field(
        "photos",
        .toMany(
          { photo }, .init(table: "photo_detail", join: "@.note=^.id", order: ["@.position"])),
        "Its photos, in order"),
    ])

  /// The photos of those notes.
  public static let photo: Query.Entity = .init(
    "photo", table: "photo_detail", identity: ["@.note", "@.position"],
    fields: [
      .scalar("filename", .string, "The file's name as it came"),
      .scalar("digest", .string, column: "lower(hex(@.digest))", "SHA-256 of the original"),
      .scalar("format", .string, "jpeg, png"),
      .scalar("width", .integer, "Pixels, upright"),
      .scalar("height", .integer, "Pixels, upright"),
      .scalar("byteSize", .integer, column: "@.byte_size", "Bytes of the original"),
      .scalar("takenAt", .date, nullable: true, column: "@.taken_at", "When it was taken"),
      .scalar("position", .integer, "Its place on the note, from 1"),
      .scalar("damaged", .boolean, "A part of the picture is missing or broken"),
      .scalar("cameraMake", .string, nullable: true, column: "@.camera_make", "Camera's maker"),
      .scalar("cameraModel", .string, nullable: true, column: "@.camera_model", "Camera's model"),
      .scalar("latitude", .double, nullable: true, "Degrees north"),
      .scalar("longitude", .double, nullable: true, "Degrees east"),
      Query.Field(
        "note", .toOne({ note }, .init(table: "note", join: "@.id=^.note")), "The note it is on"),
    ])

  /// Whether a note says `word` anywhere, as a person searches for it: in its text, memo or label, a
  /// tag or the name of a photo's file, case and accents aside.
  public static func mentions(_ word: String) -> Query.Predicate {
    .any([
      .contains("text", word), .contains("memo", word), .contains("label", word),
      .contains("tags", word, quantifier: .any),
      .contains("photos.filename", word, quantifier: .any),
    ])
  }
}

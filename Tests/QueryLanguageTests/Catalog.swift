import QueryLanguage

// The two entities of the conformance data, and a third that knows nothing of notes.

extension Query.Entity {
  static let note: Query.Entity = .init(
    "note", table: "note", identity: ["@.id"],
    fields: [
      .scalar("id", .string, "The identifier."),
      .scalar("text", .string, "The note itself."),
      .scalar("memo", .string, nullable: true, "A remark."),
      .scalar("label", .string, nullable: true, "A label."),
      .scalar("favorite", .boolean, "Whether it is a favorite."),
      .scalar("date", .date, "What the note is about."),
      .scalar("createdAt", .date, column: "@.created", "When it came."),
      .scalar(
        "photoCount", .integer, column: "(SELECT count(*) FROM photo AS p WHERE p.note = @.id)",
        "How many photos it has."),
      Query.Field(
        "tags",
        .scalars(
          .string, column: "@.name",
          .init(table: "tag", join: "@.note = ^.id", order: ["@.position"])), "Tags, in order."),
      Query.Field(
        "photos",
        .toMany(
          { .photo }, .init(table: "photo", join: "@.note = ^.id", order: ["@.position"])),
        "Photos, in order."),
    ])

  static let photo: Query.Entity = .init(
    "photo", table: "photo", identity: ["@.id"],
    fields: [
      .scalar("filename", .string, "The name of the file."),
      .scalar("width", .integer, "In pixels."),
      .scalar("height", .integer, "In pixels."),
      .scalar("byteSize", .integer, column: "@.size", "In bytes."),
      .scalar("takenAt", .date, nullable: true, column: "@.taken", "When it was taken."),
      .scalar("format", .string, "The file format."),
      Query.Field(
        "note", .toOne({ .note }, .init(table: "note", join: "@.id = ^.note")), "Its note."),
    ])

  static let student: Query.Entity = .init(
    "student", table: "student", identity: ["@.number"],
    fields: [
      .scalar("number", .integer, "The number on the list."),
      .scalar("name", .string, "The name."),
      .scalar("birthday", .date, "The day of birth."),
      .scalar("absentDays", .integer, column: "@.absent_days", "Days absent."),
      .scalar("class", .string, "The class, such as 2-B."),
      .scalar("club", .string, nullable: true, "The club, if any."),
    ])
}

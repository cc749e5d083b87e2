import QueryLanguage
import SQLite

@testable import NoteArchive

/// A kind of record that the product does not know: what it takes to list one.
struct Student: Hashable, Sendable {
  /// Tells students apart; no two have the same.
  var number: Int
  var name: String
  var birthday: Query.Instant
  var absentDays = 0
  var schoolClass: String
  var club: String?
}

extension Student: Query.Model {
  static let entity = Query.Entity(
    "student", table: "student", identity: ["@.number"],
    fields: [
      .scalar("number", .integer, "The number in the register"),
      .scalar("name", .string, "The name"),
      .scalar("birthday", .date, "The day of birth"),
      .scalar("absentDays", .integer, column: "@.absent_days", "Days not at school"),
      .scalar("class", .string, "The class"),
      .scalar("club", .string, nullable: true, "The club after school"),
    ])

  static var fieldNames: [PartialKeyPath<Student>: String] {
    [
      \.number: "number", \.name: "name", \.absentDays: "absentDays", \.schoolClass: "class",
      \.club: "club",
    ]
  }
}

extension EntityDescription<Student> {
  static var students: Self {
    Self(Student.entity, logName: "student") { row, _, connection throws(DatabaseError) in
      try connection.first(
        "SELECT number, name, birthday, absent_days, class, club FROM student WHERE id=?",
        [.integer(row)]
      ) { row in
        Student(
          number: row.int(0), name: row.string(1),
          birthday: Query.Instant(millisecondsSince1970: Int64(row.int(2))),
          absentDays: row.int(3), schoolClass: row.string(4), club: row.stringIfPresent(5))
      }
    }
  }
}

extension Student {
  /// The table, and the triggers that log its writes.
  private static let schema =
    """
    CREATE TABLE student(
      id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER NOT NULL UNIQUE, name TEXT NOT NULL,
      birthday INTEGER NOT NULL, absent_days INTEGER NOT NULL, class TEXT NOT NULL, club TEXT
    ) STRICT;
    """
    + [("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")].map { event, row in
      """
      CREATE TRIGGER student_\(event) AFTER \(event) ON student BEGIN
        DELETE FROM change WHERE entity='student' AND record=\(row).id;
        INSERT INTO change(entity, record) VALUES ('student', \(row).id);
      END;
      """
    }.joined()

  static func prepare(_ archive: Archive) throws {
    try archive.write { connection throws(DatabaseError) in try connection.execute(schema) }
  }

  /// Adds the student or, where the number is taken, writes over who has it.
  func save(in archive: Archive) throws {
    try archive.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO student(number, name, birthday, absent_days, class, club) VALUES (?,?,?,?,?,?)
        ON CONFLICT(number) DO UPDATE SET name=excluded.name, birthday=excluded.birthday,
          absent_days=excluded.absent_days, class=excluded.class, club=excluded.club
        """,
        [
          .integer(number), .text(name), .integer(birthday.millisecondsSince1970),
          .integer(absentDays), .text(schoolClass), .text(orNull: club),
        ])
    }
  }

  func delete(in archive: Archive) throws {
    try archive.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM student WHERE number=?", [.integer(number)])
    }
  }
}

extension Student {
  /// A class book to begin with.
  static let register: [Student] = [
    ("Aoi", 2012, 0, "1A", "chess"), ("Björn", 2011, 3, "1B", nil),
    ("Chidi", 2012, 7, "1A", "choir"),
    ("Dana", 2010, 12, "2A", "chess"), ("Emre", 2011, 1, "1B", "choir"),
    ("Åsa", 2012, 5, "1A", nil),
  ].enumerated().map { index, row in
    let day = CivilDay.day(year: row.1, month: index + 1, day: 10 + index) ?? 0
    return Student(
      number: index + 1, name: row.0,
      birthday: Query.Instant(millisecondsSince1970: Int64(day) * 86_400_000), absentDays: row.2,
      schoolClass: row.3, club: row.4)
  }
}

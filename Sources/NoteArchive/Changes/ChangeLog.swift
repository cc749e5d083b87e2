import SQLite

/// The log that the schema's triggers keep of which records were written, oldest write first.
enum ChangeLog {
  /// The entries that are kept at least: as many as `change_trimmed` leaves.
  static let length = 10_000

  /// Where the log ends now.
  static func end(_ connection: inout Connection) throws(DatabaseError) -> Int {
    try connection.first("SELECT coalesce(max(seq), 0) FROM change") { $0.int(0) } ?? 0
  }

  /// The entries of `entity` after a position.
  static func entries(of entity: String, after position: Int) -> (sql: String, values: [Value]) {
    (
      "SELECT record FROM change WHERE entity=? AND seq>?",
      [.text(entity), .integer(position)]
    )
  }
}

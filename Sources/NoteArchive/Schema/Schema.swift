import SQLite

/// The tables of `archive.db`, as a series of numbered steps.
///
/// A step is never edited once released: an archive holds the number of the last one that it has
/// been through (`user_version`), and goes through the rest when it is opened.
enum Schema {
  /// `PNA1`: tells our files from other databases (`application_id`).
  static let applicationID = 0x504E_4131
  static let currentVersion = migrations.count

  /// What only has an effect before the first table is there.
  static let creationPragmas = """
    PRAGMA page_size=16384; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;
    """

  /// What each connection sets for itself.
  ///
  /// Debian's SQLite zeroes deleted pages at eight times the
  /// cost; a checkpoint every 4 MB keeps readers' tails short.
  static let connectionPragmas = """
    PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=FAST;
    PRAGMA cache_size=-32768; PRAGMA mmap_size=0; PRAGMA wal_autocheckpoint=256;
    PRAGMA journal_size_limit=67108864; PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF;
    PRAGMA cell_size_check=ON;
    """

  static let migrations = [Migration.version1, .version2, .version3, .version4]

  /// Takes the database from its version to the newest, each step in a transaction of its own.
  static func migrate(
    _ connection: inout Connection, from version: Int, to target: Int = currentVersion
  ) throws(DatabaseError) {
    for number in version..<max(version, target) {
      try connection.write { connection throws(DatabaseError) in
        // Another process may have taken the step while this one waited for the lock.
        guard try Self.version(of: &connection) == number else { return }
        try connection.execute(migrations[number].script)
        try connection.execute(
          "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(number + 1)")
      }
    }
  }

  static func version(of connection: inout Connection) throws(DatabaseError) -> Int {
    try connection.first("PRAGMA user_version") { $0.int(0) } ?? 0
  }
}

/// One step of the schema.
struct Migration: Sendable {
  /// Statements without values, separated by semicolons.
  let script: String
}

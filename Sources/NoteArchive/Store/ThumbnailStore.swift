import QueryLanguage
import SQLite

/// Thumbnails, and why some could not be made.
enum ThumbnailStore {
  /// Keeps a thumbnail; if it is the original's first, `properties` replace what was known before
  /// the original was decoded, all but its count of bytes.
  static func put(
    _ thumbnail: StoredThumbnail, of original: Int, properties: PhotoProperties? = nil,
    _ connection: inout Connection
  ) throws(DatabaseError) {
    if let properties {
      try connection.run(
        """
        UPDATE original SET format=?, width=?, height=?, taken_at=?, utc_offset=?, damaged=?,
          camera_make=?, camera_model=?, latitude=?, longitude=?
        WHERE id=? AND NOT EXISTS(SELECT 1 FROM thumbnail WHERE thumbnail.original=original.id)
        """, OriginalStore.described(properties) + [.integer(original)])
    }
    try connection.run(
      """
      INSERT OR REPLACE INTO thumbnail(original, longest_edge, quality, algorithm, format, width,
        height, data) VALUES (?,?,?,?,?,?,?,?)
      """,
      [
        .integer(original), .integer(thumbnail.recipe.longestEdge),
        .integer(thumbnail.recipe.quality), .text(thumbnail.recipe.algorithm),
        .text(thumbnail.format), .integer(thumbnail.width), .integer(thumbnail.height),
        .blob(thumbnail.data),
      ])
    try connection.run(
      "DELETE FROM thumbnail_failure WHERE original=?", [.integer(original)])
  }

  static func putFailure(
    reason: String, detail: String, of original: Int, _ connection: inout Connection
  ) throws(DatabaseError) {
    try connection.run(
      "INSERT OR REPLACE INTO thumbnail_failure(original, reason, detail) VALUES (?,?,?)",
      [.integer(original), .text(reason), .text(detail)])
  }

  /// The recipe that the archive's thumbnails are to have, or nil where none was ever set.
  static func recipe(_ connection: inout Connection) throws(DatabaseError) -> StoredThumbnail
    .Recipe?
  {
    let values = try recipeKeys.map { key throws(DatabaseError) in
      try connection.first("SELECT value FROM setting WHERE key=?", [.text(key)]) { $0.string(0) }
    }
    guard let edge = values[0].flatMap(Int.init), let quality = values[1].flatMap(Int.init),
      let algorithm = values[2]
    else { return nil }
    return StoredThumbnail.Recipe(longestEdge: edge, quality: quality, algorithm: algorithm)
  }

  static func setRecipe(
    _ recipe: StoredThumbnail.Recipe, _ connection: inout Connection
  ) throws(DatabaseError) {
    let values = [String(recipe.longestEdge), String(recipe.quality), recipe.algorithm]
    for (key, value) in zip(recipeKeys, values) {
      try connection.run(
        "INSERT OR REPLACE INTO setting(key, value) VALUES (?,?)", [.text(key), .text(value)])
    }
  }

  private static let recipeKeys = [
    "thumbnail.longest_edge", "thumbnail.quality", "thumbnail.algorithm",
  ]
}

extension Archive {
  /// The recipe that the archive's thumbnails are to have, or nil where none was ever set.
  public func thumbnailRecipe() throws(ArchiveError) -> StoredThumbnail.Recipe? {
    try read { connection throws(DatabaseError) in try ThumbnailStore.recipe(&connection) }
  }

  /// Sets the recipe; thumbnails made by another one are stale from now on.
  public func setThumbnailRecipe(_ recipe: StoredThumbnail.Recipe) throws(ArchiveError) {
    try write { connection throws(DatabaseError) in
      try ThumbnailStore.setRecipe(recipe, &connection)
    }
  }

  /// The thumbnail of an original, or nil where there is none.
  public func thumbnail(of digest: ContentDigest) throws(ArchiveError) -> StoredThumbnail? {
    try read { connection throws(DatabaseError) in
      try connection.first(
        """
        SELECT longest_edge, quality, algorithm, thumbnail.format, thumbnail.width,
          thumbnail.height, data
        FROM thumbnail JOIN original ON original.id=thumbnail.original WHERE digest=?
        """, [.blob(digest.bytes)]
      ) {
        StoredThumbnail(
          recipe: .init(
            longestEdge: $0.int(0), quality: $0.int(1), algorithm: $0.string(2)),
          format: $0.string(3), width: $0.int(4), height: $0.int(5), data: $0.blob(6))
      }
    }
  }
}

/// Which thumbnails are to be made anew.
public struct ThumbnailNeed: OptionSet, Sendable, Hashable {
  /// The sum of the states’ numbers.
  public let rawValue: Int
  /// The states whose numbers add up to `rawValue`.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// There is none, and none has failed, other than for a kind of picture that the build which
  /// tried can't decode: another one may.
  public static let missing = ThumbnailNeed(rawValue: 1)
  /// It was made by another recipe than the archive's.
  public static let stale = ThumbnailNeed(rawValue: 2)
  /// It could not be made the last time.
  public static let failed = ThumbnailNeed(rawValue: 4)
  /// It is as it should be.
  public static let current = ThumbnailNeed(rawValue: 8)
}

/// How the thumbnails of the selected photos stand: each original counts once.
public struct ThumbnailStatus: Sendable, Hashable {
  /// As they should be.
  public var current = 0
  /// Made by another recipe than the archive’s.
  public var stale = 0
  /// Not there.
  public var missing = 0
  /// Could not be made the last time.
  public var failed = 0

  /// Of no photos.
  public init() {}
}

extension Archive {
  /// How the thumbnails of the notes' photos stand against `recipe`.
  public func thumbnailStatus(
    _ query: NoteQuery = NoteQuery(), against recipe: StoredThumbnail.Recipe
  ) throws(ArchiveError) -> ThumbnailStatus {
    var status = ThumbnailStatus()
    try forEachOriginal(of: query, against: recipe) { _, need in
      switch need {
      case .current: status.current += 1
      case .stale: status.stale += 1
      case .failed: status.failed += 1
      default: status.missing += 1
      }
    }
    return status
  }

  /// The originals, by row id and oldest first, whose thumbnails are in one of the states `needs`.
  ///
  /// Those that a build could not decode come last: a run that makes a few at a time would meet
  /// them again and again, and never the others.
  package func originals(
    of query: NoteQuery, needing needs: ThumbnailNeed, against recipe: StoredThumbnail.Recipe
  ) throws(ArchiveError) -> [Int] {
    var originals: [Int] = []
    var undecoded: [Int] = []
    try forEachOriginal(of: query, against: recipe) { original, need in
      if needs.isDisjoint(with: need) { return }
      if need == [.missing, .failed] {
        undecoded.append(original)
      } else {
        originals.append(original)
      }
    }
    return originals + undecoded
  }

  private func forEachOriginal(
    of query: NoteQuery, against recipe: StoredThumbnail.Recipe,
    _ body: (Int, ThumbnailNeed) -> Void
  ) throws(ArchiveError) {
    let wanted: Query.SQL = """
      thumbnail.algorithm=\(.string(recipe.algorithm))
      AND thumbnail.longest_edge=\(.integer(Int64(recipe.longestEdge)))
      AND thumbnail.quality=\(.integer(Int64(recipe.quality)))
      """
    let initial = try NotePlan(query)
    let found = try read { connection throws(DatabaseError) in
      var plan = initial
      let few: Query.SQL = try plan.fewCandidates(&connection).map { "n.id IN (\($0)) AND" } ?? ""
      return try connection.rows(
        """
        SELECT original.id, CASE
          WHEN thumbnail.original IS NULL AND failure.reason='unsupported-format' THEN 5
          WHEN failure.original IS NOT NULL THEN 4
          WHEN thumbnail.original IS NULL THEN 1 WHEN \(wanted) THEN 8 ELSE 2 END
        FROM original LEFT JOIN thumbnail ON thumbnail.original=original.id
          LEFT JOIN thumbnail_failure failure ON failure.original=original.id
        WHERE original.id IN (
          SELECT photo.original FROM note n JOIN photo ON photo.note=n.id
          WHERE \(few) \(plan.condition))
        ORDER BY original.id
        """
      ) { ($0.int(0), ThumbnailNeed(rawValue: $0.int(1))) }
    }
    for (original, need) in found { body(original, need) }
  }

  /// Reads an original by its row id.
  package func original(row: Int) -> OriginalReader { OriginalReader(archive: self, id: row) }

  /// Where an original comes from, for a message: the name of a file that had it.
  package func filename(ofOriginal row: Int) throws(ArchiveError) -> String? {
    try read { connection throws(DatabaseError) in
      try connection.first(
        "SELECT filename FROM photo WHERE original=? ORDER BY id LIMIT 1", [.integer(row)]
      ) { $0.string(0) }
    }
  }

  /// What came of making one thumbnail.
  package enum ThumbnailOutcome: Sendable {
    /// A thumbnail, and what decoding the original told of it.
    case made(StoredThumbnail, of: PhotoProperties)
    case failed(reason: String, detail: String)
  }

  /// Keeps what a run made, in one transaction.
  package func store(_ outcomes: [(original: Int, outcome: ThumbnailOutcome)]) throws(ArchiveError)
  {
    try write { connection throws(DatabaseError) in
      for (original, outcome) in outcomes {
        switch outcome {
        case .made(let thumbnail, let properties):
          try ThumbnailStore.put(thumbnail, of: original, properties: properties, &connection)
        case .failed(let reason, let detail):
          try ThumbnailStore.putFailure(
            reason: reason, detail: detail, of: original, &connection)
        }
      }
    }
  }
}

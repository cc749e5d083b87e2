import FoundationEssentials
import QueryLanguage
import SQLite

/// An archive of notes with photos: a folder with `archive.db` in it.
///
/// Any task may use it. Writes wait for one another; reads wait for nobody.
public final class Archive: Sendable {
  /// The folder.
  public let path: String
  private let writer: Database
  private let readers: ReaderPool
  /// As many as there are workers, with small caches: each byte of an original is read once.
  private let originalReaders: ReaderPool
  /// Tells live results of commits.
  let changes: ChangeWatch

  /// Opens the archive in the folder `path`, and brings an older one up to date.
  public static func open(at path: String) throws(ArchiveError) -> Archive {
    guard FileManager.default.fileExists(atPath: path) else { throw .noArchive(path: path) }
    guard FileManager.default.fileExists(atPath: file(in: path)) else {
      throw isFolder(path)
        ? .noArchive(path: path) : .notAnArchive(path: path, reason: "it is a file, not a folder")
    }
    return try Archive(path: path, mode: .readWrite)
  }

  /// Opens the archive in the folder `path`, making the folder and the archive if need be.
  public static func openOrCreate(at path: String) throws(ArchiveError) -> Archive {
    if FileManager.default.fileExists(atPath: file(in: path)) { return try open(at: path) }
    if FileManager.default.fileExists(atPath: path), !isFolder(path) {
      throw .notAnArchive(path: path, reason: "it is a file, not a folder")
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .readOnly(path: path, detail: "the folder can't be made")
    }
    return try Archive(path: path, mode: .create)
  }

  private static func file(in path: String) -> String { path + "/archive.db" }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  private init(path: String, mode: OpenMode) throws(ArchiveError) {
    let file = Self.file(in: path)
    let openReader: @Sendable () throws(DatabaseError) -> Database = {
      () throws(DatabaseError) in
      let reader = try Database(path: file, mode: .readOnly)
      try reader.withConnection { connection throws(DatabaseError) in
        try Self.configure(&connection)
      }
      return reader
    }
    self.path = path
    writer = try Self.telling(path) { () throws(DatabaseError) in
      try Database(path: file, mode: mode)
    }
    readers = ReaderPool(open: openReader)
    originalReaders = ReaderPool { () throws(DatabaseError) in
      let reader = try openReader()
      try reader.withConnection { connection throws(DatabaseError) in
        try connection.run("PRAGMA cache_size=-2048")
      }
      return reader
    }
    changes = ChangeWatch(folder: path, open: openReader)
    let state = try Self.telling(path) { () throws(DatabaseError) in
      try writer.withConnection { connection throws(DatabaseError) in
        try Self.prepare(&connection)
      }
    }
    switch state {
    case .ready: break
    case .foreign: throw .notAnArchive(path: path, reason: "its archive.db is another program's")
    case .newer(let version):
      throw .newerVersion(path: path, found: version, supported: Schema.currentVersion)
    }
    try completeSearchIndex()
  }

  private enum State: Sendable {
    case ready, foreign
    case newer(Int)
  }

  /// Sets a writing connection up, and brings the tables up to date where they are ours.
  private static func prepare(_ connection: inout Connection) throws(DatabaseError) -> State {
    let version = try Schema.version(of: &connection)
    let id = try connection.first("PRAGMA application_id") { $0.int(0) }
    if id != Schema.applicationID {
      // An archive whose making was cut off is a file without tables: it is made now.
      let tables = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.int(0) }
      guard tables == 0, version == 0 else { return .foreign }
      try connection.execute(Schema.creationPragmas)
    }
    guard version <= Schema.currentVersion else { return .newer(version) }
    try configure(&connection)
    try Schema.migrate(&connection, from: version)
    return .ready
  }

  private static func configure(_ connection: inout Connection) throws(DatabaseError) {
    try connection.execute(Schema.connectionPragmas)
    for function in Function.ofArchive { try connection.register(function) }
  }

  private static func telling<Output>(
    _ path: String, _ body: () throws(DatabaseError) -> Output
  ) throws(ArchiveError) -> Output {
    do throws(DatabaseError) { return try body() } catch { throw ArchiveError(error, path: path) }
  }

  /// Runs `body` in one transaction: all of it is durable when this returns, or none of it happened.
  func write<Output: Sendable>(
    _ body: (inout Connection) throws(DatabaseError) -> Output
  ) throws(ArchiveError) -> Output {
    let (output, isIndexed) = try writeUnindexed { connection throws(DatabaseError) in
      (try body(&connection), try SearchIndex.update(&connection))
    }
    if !isIndexed { try completeSearchIndex() }
    return output
  }

  /// The same for what changes no note.
  func writeUnindexed<Output: Sendable>(
    _ body: (inout Connection) throws(DatabaseError) -> Output
  ) throws(ArchiveError) -> Output {
    let output = try Self.telling(path) { () throws(DatabaseError) in
      try writer.withConnection { connection throws(DatabaseError) in try connection.write(body) }
    }
    changes.look()  // The writer is free again.
    return output
  }

  /// Moves what was committed from the log into the database file, and empties the log, as far as
  /// no reader needs it: the end of a job is a good time.
  package func checkpoint() throws(ArchiveError) {
    try Self.telling(path) { () throws(DatabaseError) in
      try writer.withConnection { connection throws(DatabaseError) in
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }

  /// Runs `body` on one snapshot of what is committed.
  func read<Output: Sendable>(
    _ body: (inout Connection) throws(DatabaseError) -> Output
  ) throws(ArchiveError) -> Output {
    try Self.telling(path) { () throws(DatabaseError) in
      try readers.withConnection { connection throws(DatabaseError) in try connection.read(body) }
    }
  }

  /// Runs `body`, which reads a piece of an original, on what is committed.
  func readOriginal<Output: Sendable>(
    _ body: (inout Connection) throws(DatabaseError) -> Output
  ) throws(ArchiveError) -> Output {
    try Self.telling(path) { () throws(DatabaseError) in
      try originalReaders.withConnection(body)
    }
  }
}

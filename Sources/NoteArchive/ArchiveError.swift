public import FoundationEssentials
import QueryLanguage
import SQLite

/// Why an archive could not do what it was asked for.
public enum ArchiveError: Error, Equatable, Sendable {
  /// There is no archive at the path.
  case noArchive(path: String)
  /// There is something at the path, but it is no archive.
  case notAnArchive(path: String, reason: String)
  /// The archive was made by a newer program.
  case newerVersion(path: String, found: Int, supported: Int)
  /// The archive's folder or file may not be written to.
  case readOnly(path: String, detail: String)
  /// Another program holds the archive's lock.
  case locked(path: String)
  /// The disk is full.
  case noSpace(path: String)
  /// The database file is damaged.
  case damaged(path: String, detail: String)
  /// No note's id begins like this.
  case noSuchNote(String)
  /// Several notes' ids begin like this.
  case ambiguousNote(String, count: Int)
  /// The bytes that were read are not those that were announced.
  case sourceChanged(expected: ContentDigest, found: ContentDigest)
  /// No original of this digest is in the archive.
  case noSuchOriginal(ContentDigest)
  /// A predicate or a sort descriptor does not fit what it is asked of.
  case query(detail: String)
  /// SQLite refused for another reason.
  case database(detail: String)

  /// Tells SQLite's error in the archive's terms.
  init(_ error: DatabaseError, path: String) {
    self =
      switch error.kind {
      case .busy: .locked(path: path)
      case .full: .noSpace(path: path)
      case .readOnly, .cannotOpen: .readOnly(path: path, detail: error.message)
      case .notADatabase: .notAnArchive(path: path, reason: "its archive.db is not a database")
      case .corrupt: .damaged(path: path, detail: error.message)
      case .constraint, .inputOutput, .other:
        .database(detail: error.errorDescription ?? error.message)
      }
  }

  /// Tells what is wrong with a predicate or an order in the archive's terms.
  static func telling<Output>(
    _ body: () throws(Query.Problem) -> Output
  ) throws(ArchiveError) -> Output {
    do throws(Query.Problem) { return try body() } catch {
      throw .query(detail: error.errorDescription ?? "\(error)")
    }
  }
}

extension ArchiveError: LocalizedError {
  /// What is wrong, as a sentence.
  public var errorDescription: String? {
    switch self {
    case .noArchive(let path): "There is no archive at “\(path)”."
    case .notAnArchive(let path, let reason): "“\(path)” is not an archive: \(reason)."
    case .newerVersion(let path, let found, let supported):
      "The archive “\(path)” has format \(found); this program knows formats up to \(supported)."
    case .readOnly(let path, let detail):
      "The archive “\(path)” can't be opened for writing (\(detail))."
    case .locked(let path): "Another program is writing to the archive “\(path)”."
    case .noSpace(let path): "The disk that holds the archive “\(path)” is full."
    case .damaged(let path, let detail): "The archive “\(path)” is damaged (\(detail))."
    case .noSuchNote(let prefix): "There is no note whose id begins with “\(prefix)”."
    case .ambiguousNote(let prefix, let count): "The ids of \(count) notes begin with “\(prefix)”."
    case .sourceChanged: "The file changed while it was read."
    case .noSuchOriginal(let digest): "The archive has no original with the digest \(digest)."
    case .query(let detail): detail
    case .database(let detail): "The database refused: \(detail)."
    }
  }

  /// What to do about it, as a sentence.
  public var recoverySuggestion: String? {
    switch self {
    case .noArchive: "Make one with `photonotes init`, or name another with --archive."
    case .notAnArchive: "Name a folder that `photonotes init` made, or one that is not there yet."
    case .newerVersion: "Use the version of PhotoNotes that made it, or a newer one."
    case .readOnly: "Give yourself write permission on the folder and the files in it."
    case .locked: "Wait until it has finished, then run this again."
    case .noSpace: "Free some space, then run this again: it goes on where it stopped."
    case .damaged: "Restore it from a backup."
    case .noSuchNote: "List the notes with `photonotes list`."
    case .ambiguousNote: "Give more of the id."
    case .sourceChanged: "Run the import again when nothing writes to the file."
    case .query: "List the fields with `photonotes fields`."
    case .noSuchOriginal, .database: nil
    }
  }
}

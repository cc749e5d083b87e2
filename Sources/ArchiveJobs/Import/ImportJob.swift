public import NoteArchive
import Synchronization

/// How the photos of one import become notes.
public enum ImportGrouping: String, Sendable, CaseIterable {
  /// A folder's photos become one note, as one visit to a photo picker does.
  case folder
  /// Each photo becomes a note.
  case photo
  /// All photos become one note.
  case all
}

/// Imports photos from files and folders.
///
/// Each original is durable as soon as it has been read; a note and its photos are then committed
/// together. A run that is cut off at any instant and started again ends as if nothing had happened.
public struct ImportJob: Sendable {
  /// Files and folders, in the order in which their photos are wanted.
  public var paths: [FilePath]
  /// How photos become notes.
  public var grouping = ImportGrouping.folder
  /// The text of each note that is made; nil stands for the folder's name, where a note is a
  /// folder, and for none elsewhere.
  public var text: String?
  /// The memo of each note that is made.
  public var memo: String?
  /// The label of each note that is made.
  public var label: String?
  /// The tags of each note that is made.
  public var tags: [String] = []
  /// Whether the notes that are made are favorites.
  public var favorite = false
  /// The date of each note that is made, rather than that of its earliest photo.
  public var date: Moment?
  /// The note that the photos are added to, rather than to a new one.
  public var existingNote: NoteID?
  /// Whether a photo is taken in even if the archive has it on another note.
  public var keepsDuplicates = false
  /// Whether a picture of a known kind that this build can't decode is kept, without a thumbnail: a
  /// build that can makes it later.
  public var keepsUndecodable = false
  /// Whether no note is made where a single file can't be imported.
  public var requiresAll = false
  /// Whether to look and report only.
  public var isDryRun = false
  /// How many files are read and decoded at one time.
  public var workerCount: Int

  /// A job that makes a note for each folder.
  public init(paths: [FilePath], workerCount: Int = Workers.coreCount) {
    (self.paths, self.workerCount) = (paths, workerCount)
  }

  /// Runs the import; what becomes of single files is told to `observer`.
  ///
  /// Where `shouldStop` turns true, the files in hand are finished and the run ends with
  /// `isInterrupted`; the photos of the last, incomplete note wait for the next run.
  ///
  /// - Parameters:
  ///   - archive: Nil, which only a dry run may be given, stands for one that is yet to be made.
  ///   - shouldStop: Is asked between files.
  ///   - observer: Is told of each file, in order.
  /// - Returns: The ledger.
  /// - Throws: `ArchiveError` where the archive can't be written to. What a file does wrong is
  ///   never thrown, but counted.
  public func run(
    on archive: Archive?, shouldStop: @escaping @Sendable () -> Bool = { false },
    observer: @escaping @Sendable (ImportEvent) -> Void = { _ in }
  ) async throws -> ImportReport {
    let settings = try archive.map(ThumbnailSettings.current) ?? ThumbnailSettings()
    let examiner = PhotoExaminer(
      archive: archive, settings: settings, keepsUndecodable: keepsUndecodable)
    var session: ImportSession?
    if !isDryRun {
      guard let archive else { preconditionFailure("an import without an archive to import into") }
      session = try ImportSession.begin(on: archive)
    }
    let ledger = ImportLedger(job: self, session: session, observer: observer)
    let disk = DiskThread()
    let candidates = Candidates(paths: paths, grouping: grouping, shouldStop: shouldStop)
    let start = ContinuousClock.now
    try await forEachInOrder(
      candidates, width: workerCount,
      work: { candidate in Examined(candidate: candidate, finding: examiner.examine(candidate)) },
      consume: { examined in try await disk.run { try ledger.enter(examined) } })
    return try await disk.run {
      try ledger.close(isInterrupted: shouldStop(), duration: ContinuousClock.now - start)
    }
  }
}

/// One thing that a walk found, and the note that it is for.
struct Candidate: Sendable {
  var number: Int
  /// Candidates of one note have one group; groups come one after another.
  var group: Int
  var found: FolderWalk.Found
}

struct Examined: Sendable {
  var candidate: Candidate
  var finding: Finding
}

/// Numbers what a walk finds, and groups it into notes.
private struct Candidates: Sequence, IteratorProtocol {
  private var walk: FolderWalk
  private let grouping: ImportGrouping
  private let shouldStop: @Sendable () -> Bool
  private var (number, group) = (0, 0)
  private var folder: FilePath??

  init(paths: [FilePath], grouping: ImportGrouping, shouldStop: @escaping @Sendable () -> Bool) {
    (walk, self.grouping, self.shouldStop) = (FolderWalk(paths), grouping, shouldStop)
  }

  mutating func next() -> Candidate? {
    guard !shouldStop(), let found = walk.next() else { return nil }
    if case .file(_, let folder) = found {
      switch grouping {
      case .folder where self.folder != .some(folder), .photo: group += 1
      case .folder, .all: break
      }
      self.folder = .some(folder)
    }
    defer { number += 1 }
    return Candidate(number: number, group: group, found: found)
  }
}

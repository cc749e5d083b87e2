import Imaging
public import NoteArchive
import Synchronization

/// Makes thumbnails anew from the originals in the archive.
///
/// What is made is committed a few at a time: a run that is cut off and started again goes on.
public struct ThumbnailJob: Sendable {
  /// The notes whose photos are meant.
  public var query = NoteQuery()
  /// Which thumbnails are made, by how they stand.
  public var needs: ThumbnailNeed = [.missing, .stale]
  /// The settings of all of the archive's thumbnails from now on; nil leaves them as they are.
  public var settings: ThumbnailSettings?
  /// The most thumbnails to make.
  public var maxItems: Int?
  /// The time after which no more are begun.
  public var maxTime: Duration?
  /// How many are made at one time.
  public var workerCount = Workers.coreCount

  /// A job for what is missing or stale of the whole archive.
  public init() {}

  /// What a run did.
  public struct Report: Sendable, Equatable {
    /// Thumbnails that were made.
    public var made = 0
    /// Photos of which none could be made.
    public var failed = 0
    /// Photos that this build can't decode: they were kept all the same, and wait for one that can.
    public var undecoded = 0
    /// Those that were meant and not begun: time or the number was up, or the run was stopped.
    public var left = 0
    /// Time from start to end.
    public var duration = Duration.zero
    /// Whether the run was stopped before its end.
    public var isInterrupted = false

    /// A report of nothing yet.
    public init() {}
  }

  /// What became of one photo.
  public enum Event: Sendable, Equatable {
    /// How many will be made.
    case planned(Int)
    case made
    case failed(filename: String, ImportFailure)
    /// This build can't decode the photo; the failure says what can.
    case undecoded(filename: String, ImportFailure)
  }

  /// Runs the job.
  ///
  /// - Throws: `ArchiveError` where the archive can't be read or written.
  public func run(
    on archive: Archive, shouldStop: @escaping @Sendable () -> Bool = { false },
    observer: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Report {
    let start = ContinuousClock.now
    let settings = try settings ?? .current(of: archive)
    if self.settings != nil { try archive.setThumbnailRecipe(settings.storedRecipe) }
    let all = try archive.originals(of: query, needing: needs, against: settings.storedRecipe)
    let meant = all.prefix(maxItems ?? all.count)
    observer(.planned(meant.count))
    let deadline = maxTime.map { start + $0 }
    let ledger = Ledger(archive: archive, observer: observer)
    let disk = DiskThread()
    try await forEachInOrder(
      meant.lazy.prefix { _ in !shouldStop() && deadline.map { $0 > .now } ?? true },
      width: workerCount,
      work: { original in (original, Self.make(original, of: archive, settings)) },
      consume: { outcome in try await disk.run { try ledger.enter(outcome) } })
    return try await disk.run {
      var report = try ledger.close()
      report.left = all.count - report.made - report.failed - report.undecoded
      report.duration = ContinuousClock.now - start
      report.isInterrupted = shouldStop()
      return report
    }
  }

  private typealias Made = Result<
    (thumbnail: StoredThumbnail, properties: PhotoProperties), ImportFailure
  >

  private static func make(
    _ original: Int, of archive: Archive, _ settings: ThumbnailSettings
  ) -> Made {
    var reader = archive.original(row: original)
    let source = ByteSource { try reader.read(into: $0) }
    do throws(ImageError) {
      let thumbnail = try Thumbnail.make(from: source, recipe: settings.recipe)
      return .success((settings.stored(thumbnail), PhotoProperties(thumbnail, byteSize: 0)))
    } catch {
      return .failure(ImportFailure(error))
    }
  }

  /// Collects what was made, so that one commit, which waits for the disk, serves several.
  private final class Ledger: Sendable {
    private let archive: Archive
    private let observer: @Sendable (Event) -> Void
    private let state = Mutex(State())

    private struct State {
      var report = Report()
      var pending: [(original: Int, outcome: Archive.ThumbnailOutcome)] = []
      var lastCommit = ContinuousClock.now
    }

    init(archive: Archive, observer: @escaping @Sendable (Event) -> Void) {
      (self.archive, self.observer) = (archive, observer)
    }

    func enter(
      _ outcome: (original: Int, result: Made)
    ) throws(ArchiveError) {
      try state.withLock { (state: inout State) throws(ArchiveError) in
        switch outcome.result {
        case .success(let (thumbnail, properties)):
          state.pending.append((outcome.original, .made(thumbnail, of: properties)))
          state.report.made += 1
          observer(.made)
        case .failure(let failure):
          state.pending.append(
            (outcome.original, .failed(reason: failure.reason.rawValue, detail: failure.detail)))
          let filename = try archive.filename(ofOriginal: outcome.original) ?? ""
          if failure.reason == .unsupportedFormat {
            state.report.undecoded += 1
            observer(.undecoded(filename: filename, failure))
          } else {
            state.report.failed += 1
            observer(.failed(filename: filename, failure))
          }
        }
        if state.pending.count >= 32 || ContinuousClock.now - state.lastCommit > .seconds(1) {
          try commit(&state)
        }
      }
    }

    func close() throws(ArchiveError) -> Report {
      try state.withLock { (state: inout State) throws(ArchiveError) in
        try commit(&state)
        try archive.checkpoint()
        return state.report
      }
    }

    private func commit(_ state: inout State) throws(ArchiveError) {
      if !state.pending.isEmpty { try archive.store(state.pending) }
      state.pending.removeAll(keepingCapacity: true)
      state.lastCommit = .now
    }
  }
}

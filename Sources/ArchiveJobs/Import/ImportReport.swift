/// The ledger of one import: `found` is the sum of the four kinds that follow it.
public struct ImportReport: Sendable, Equatable {
  /// Everything that the walk met, folders that were entered aside.
  public var found = 0
  /// Photos whose originals are stored.
  public var imported = 0
  /// Photos whose content the archive had, or that came twice in the run.
  public var duplicate = 0
  /// Files that are no photos, by content and by name.
  public var ignored = 0
  /// Photos, by content or by name, that could not be imported.
  public var failed = 0
  /// Notes that were made.
  public var notes = 0
  /// Those of `imported` of which a part is missing or broken.
  public var damaged = 0
  /// Those of `imported` that this build can't decode, kept without a thumbnail.
  public var undecoded = 0
  /// Bytes of the originals that were imported.
  public var byteCount = 0
  /// `ignored` by kind: a file name extension, or what the thing is.
  public var ignoredKinds: [String: Int] = [:]
  /// The number of the session in the archive; nil for a dry run.
  public var session: Int?
  /// Time from start to end.
  public var duration = Duration.zero
  /// Whether the run was stopped before its end.
  public var isInterrupted = false

  /// A ledger of nothing yet.
  public init() {}
}

/// What became of one file.
public enum ImportEvent: Sendable, Equatable {
  case imported(FilePath, byteCount: Int)
  /// Imported, but a part of the picture is missing or broken.
  case damaged(FilePath, detail: String)
  case duplicate(FilePath)
  case ignored(FilePath, kind: String)
  case failed(FilePath, ImportFailure)
}

/// Why a file could not be imported.
public struct ImportFailure: Sendable, Equatable, Error {
  /// For programs: one of a fixed set of words.
  public var reason: Reason
  /// What is wrong, for people.
  public var detail: String
  /// What to do about it.
  public var remedy: String

  /// The kinds of failure.
  public enum Reason: String, Sendable, CaseIterable {
    case empty
    case notAnImage = "not-an-image"
    case unsupportedFormat = "unsupported-format"
    case truncated
    case malformed
    case tooLarge = "too-large"
    case tooSlow = "too-slow"
    case outOfMemory = "out-of-memory"
    case unreadable
    case changed
  }

  /// A failure with its explanation, in sentences, and its remedy.
  public init(_ reason: Reason, _ detail: String, remedy: String) {
    (self.reason, self.detail, self.remedy) = (reason, detail, remedy)
  }
}

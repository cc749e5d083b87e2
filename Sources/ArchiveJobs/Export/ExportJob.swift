public import FoundationEssentials
import Glibc
public import NoteArchive

/// Writes notes and their originals into a folder, byte for byte.
///
/// Each note gets a folder of its own with its photos and a `note.json`; `SHA256SUMS` beside them
/// lets `sha256sum -c` check all. What is there already and is the same is left alone, and what is
/// there and differs is never overwritten, but for what an earlier export wrote there of the same
/// kind: the description of the same note, and the list of checksums.
public struct ExportJob: Sendable {
  /// The folder that is written into; made if need be.
  public var folder: FilePath
  /// The notes that are meant.
  public var query: NoteQuery
  /// Whether to say what would be written, and write nothing.
  public var isDryRun = false

  /// A job that exports what `query` asks for.
  public init(folder: FilePath, query: NoteQuery = NoteQuery()) {
    (self.folder, self.query) = (folder, query)
  }

  /// What a run did.
  public struct Report: Sendable, Equatable {
    /// Notes that were met.
    public var notes = 0
    /// Photos that were written.
    public var written = 0
    /// Photos that were there already.
    public var unchanged = 0
    /// Photos, descriptions and lists that could not be written, while others were.
    public var failed = 0
    /// Bytes of the originals that were written.
    public var byteCount = 0
    /// Time from start to end.
    public var duration = Duration.zero
    /// Whether the run was stopped before its end.
    public var isInterrupted = false

    /// A report of nothing yet.
    public init() {}
  }

  /// What became of one file.
  public enum Event: Sendable, Equatable {
    case written(FilePath, byteCount: Int)
    case unchanged(FilePath)
    case failed(FilePath, detail: String, remedy: String)
  }

  /// Runs the job.
  ///
  /// - Throws: `ArchiveError` where the archive can't be read, `ExportError` where the folder can't
  ///   be written to.
  public func run(
    on archive: Archive, shouldStop: () -> Bool = { false }, observer: (Event) -> Void = { _ in }
  ) throws -> Report {
    let start = ContinuousClock.now
    var report = Report()
    let output = OutputFolder(path: folder)
    var sums = Checksums(in: output)
    if !isDryRun {
      try making(folder) { () throws(FileError) in
        try output.make()
        try PartialFile.removeLeftovers(in: folder)
      }
    }
    for id in try archive.ids(of: query) {
      guard !shouldStop() else {
        report.isInterrupted = true
        break
      }
      guard let note = try archive.note(id) else { continue }
      report.notes += 1
      try export(note, from: archive, to: output, &sums, &report, observer)
    }
    if !isDryRun {
      let list = folder.appending(Array(Checksums.name.utf8))
      try making(list) {
        try output.sync()  // The list is no sooner there than what it lists.
        if try sums.write() == .occupied { occupied(list, &report, observer) }
        try output.sync()
      }
    }
    report.duration = ContinuousClock.now - start
    return report
  }

  private func export(
    _ note: Note, from archive: Archive, to output: OutputFolder, _ sums: inout Checksums,
    _ report: inout Report, _ observer: (Event) -> Void
  ) throws {
    let name = ExportNames.folder(of: note)
    let noteFolder = output.subfolder(name)
    if !isDryRun {
      try making(noteFolder.path) { () throws(FileError) in try noteFolder.makeWithinParent() }
    }
    let files = ExportNames.files(of: note)
    for (photo, file) in zip(note.photos, files) {
      let path = noteFolder.path.appending(Array(file.utf8))
      do {
        let outcome =
          isDryRun
          ? try noteFolder.wouldWrite(file, photo)
          : try write(photo, as: file, in: noteFolder, archive)
        switch outcome {
        case .written:
          report.written += 1
          report.byteCount += photo.byteSize
          observer(.written(path, byteCount: photo.byteSize))
        case .unchanged:
          report.unchanged += 1
          observer(.unchanged(path))
        case .occupied: occupied(path, &report, observer)
        }
        if outcome != .occupied, !isDryRun { try sums.add(photo.digest, "\(name)/\(file)") }
      } catch ArchiveError.sourceChanged {
        report.failed += 1
        observer(
          .failed(
            path, detail: "The original in the archive is damaged.",
            remedy: "Restore the archive from a backup."))
      } catch let error as FileError {
        throw ExportError(path: path, reason: error.reason, isFull: error.code == ENOSPC)
      }
    }
    guard !isDryRun else { return }
    let path = noteFolder.path.appending(Array(ExportNames.description.utf8))
    try making(path) {
      let description = try NoteDescription(note, files: files).json()
      let digest = SHA256.hash(data: description)
      var rest: [UInt8]? = description
      let outcome = try noteFolder.write(
        ExportNames.description, digest: digest, byteCount: description.count,
        replacing: { try NoteDescription.isDescription($0, ofNote: note.id) },
        next: {
          defer { rest = nil }
          return rest
        })
      if outcome == .occupied {
        occupied(path, &report, observer)
      } else {
        try sums.add(digest, "\(name)/\(ExportNames.description)")
      }
      try noteFolder.sync()
    }
  }

  private func occupied(_ path: FilePath, _ report: inout Report, _ observer: (Event) -> Void) {
    report.failed += 1
    observer(
      .failed(
        path, detail: "Another file of this name is there, and was left alone.",
        remedy: "Move it away, or export into an empty folder."))
  }

  private func write(
    _ photo: Photo, as file: String, in folder: OutputFolder, _ archive: Archive
  ) throws -> OutputFolder.Outcome {
    var reader = try archive.original(photo.digest)
    return try folder.write(file, digest: photo.digest, byteCount: photo.byteSize) {
      () throws(ArchiveError) in try reader.nextChunk()
    }
  }

  /// Tells what the system refuses as what can't be written, and where.
  private func making(_ path: FilePath, _ body: () throws -> Void) throws {
    do { try body() } catch let error as FileError {
      throw ExportError(path: path, reason: error.reason, isFull: error.code == ENOSPC)
    }
  }
}

/// Why an export can't go on.
public struct ExportError: LocalizedError, Equatable {
  /// The file or folder that could not be written.
  public let path: FilePath
  /// The system’s words for it.
  public let reason: String
  /// Whether the disk is full.
  public let isFull: Bool

  /// What is wrong, as a sentence.
  public var errorDescription: String? { "“\(path.text)” can't be written: \(reason)." }
  /// What to do about it, as a sentence.
  public var recoverySuggestion: String? {
    isFull
      ? "Free some space, or export to another disk; run it again, and it goes on where it stopped."
      : "Give yourself write permission there, or export into another folder."
  }
}

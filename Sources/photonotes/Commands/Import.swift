import ArchiveJobs
import NoteArchive
import Terminal

/// Imports photos from folders and files.
struct Import: Command, Equatable {
  var paths: [Argument] = []
  var grouping = ImportGrouping.folder
  var text: String?
  var label: String?
  var tags: [String] = []
  var favorite = false
  var note: String?
  var isDryRun = false
  var keepsUndecodable = false
  var jobs = Workers.coreCount

  static let name = "import"
  static let summary = "Import photos from folders and files"
  static let discussion = """
    The photos of a folder become one note, in the order of their names. Every photo is kept byte \
    for byte, with a thumbnail; a photo that the archive has already is counted and passed over. \
    The files are only read.

    Stopped at any moment and run again, an import goes on where it was.
    """
  static let examples = [
    Example("photonotes import ~/Pictures/2024", "A note for each folder"),
    Example("photonotes import --group-by photo --tag scan ~/Scans", "A note for each photo"),
  ]
  static let options: [Option<Self>] = [
    .choice("--group-by", "WHAT", "What becomes a note", \.grouping),
    .string("--text", "TEXT", "Text of the notes (else the folder’s name)", \.text),
    .string("--label", "LABEL", "Label of the notes", \.label),
    .strings("--tag", "TAG", "Tag of the notes; may be repeated", \.tags),
    .flag("--favorite", "Mark the notes as favorites", \.favorite).alias("--favourite"),
    .string("--into", "NOTE", "Add the photos to this note instead", \.note),
    .flag(
      "--keep-undecodable", "Keep pictures that can’t be decoded, without a thumbnail",
      \.keepsUndecodable),
    .flag("--dry-run", "Look and report, and import nothing", \.isDryRun),
    .integer("--jobs", "N", in: 1...256, "Photos worked on at a time (default: all cores)", \.jobs),
  ]
  static let positionals: [Positional<Self>] = [
    .many("PATH", "Folders and files", required: true, \.paths) { $0 }
  ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try self.archive(in: session)
    var job = ImportJob(paths: paths.map { FilePath(bytes: $0.bytes) }, workerCount: jobs)
    job.grouping = grouping
    (job.text, job.label, job.tags, job.favorite) = (text, label, tags, favorite)
    // There is no note where there is no archive, and the error then is that.
    job.existingNote = try note.map {
      try (archive ?? session.archive()).id(beginningWith: $0, in: .archive)
    }
    (job.isDryRun, job.keepsUndecodable) = (isDryRun, keepsUndecodable)
    return try await session.run(job, on: archive)
  }

  /// The archive, made if need be; a dry run makes none.
  private func archive(in session: Session) throws(ArchiveError) -> Archive? {
    if !isDryRun { return try session.archiveMadeIfNeeded() }
    do throws(ArchiveError) { return try session.archive() } catch .noArchive { return nil }
  }
}

extension Session {
  /// Runs an import, tells what becomes of its files, and prints its ledger.
  func run(_ job: ImportJob, on archive: Archive?) async throws -> ExitStatus {
    let meter = ProgressMeter("Importing", on: console)
    let report = try await job.run(
      on: archive, shouldStop: { Interruption.isRequested },
      observer: { event in
        switch event {
        case .imported(_, let byteCount): meter.advance(items: 1, bytes: Int64(byteCount))
        case .duplicate, .ignored: meter.advance(items: 1)
        case .failed(let path, let failure):
          meter.advance(items: 1, failures: 1)
          self.print(path, failure)
        case .damaged(let path, let detail): self.printDamage(path, detail)
        }
      })
    meter.finish()
    print(report, isDryRun: job.isDryRun)
    if report.isInterrupted { return .interrupted }
    if job.requiresAll && report.failed > 0 {
      console.notice("No note was made, as not all of its photos could be imported.")
      return .failure
    }
    return report.failed > 0 || report.damaged > 0 ? .partial : .success
  }

  func print(_ path: FilePath, _ failure: ImportFailure) {
    if isJSON {
      console.print([
        "type": "failed", "path": .string(path.text), "reason": .string(failure.reason.rawValue),
        "detail": .string(failure.detail), "remedy": .string(failure.remedy),
      ])
    } else {
      console.warn(
        "\(printable(path.bytes)): \(failure.reason.rawValue): \(printable(failure.detail)) "
          + printable(failure.remedy))
    }
  }

  private func printDamage(_ path: FilePath, _ detail: String) {
    if isJSON {
      console.print([
        "type": "damaged", "path": .string(path.text), "detail": .string(detail),
      ])
    } else {
      console.warn(
        "\(printable(path.bytes)): imported as damaged: \(detail) "
          + "If there is another copy of the photo, import that too.")
    }
  }

  private func print(_ report: ImportReport, isDryRun: Bool) {
    let kinds = report.ignoredKinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let ignored =
      kinds.isEmpty
      ? "" : " (\(kinds.map { "\(printable($0.key)): \($0.value)" }.joined(separator: ", ")))"
    let rows: [(String, Int, String)] =
      [
        ("found", report.found, ""),
        ("imported", report.imported, "  \(ByteCount(report.byteCount))"),
        ("duplicate", report.duplicate, ""), ("ignored", report.ignored, ignored),
        ("failed", report.failed, ""), ("notes", report.notes, ""),
        ("damaged", report.damaged, report.damaged > 0 ? "  of those imported" : ""),
      ] + (report.undecoded > 0 ? [("undecoded", report.undecoded, "  of those imported")] : [])
    let width = rows.map { String($0.1).count }.max() ?? 1
    let lines = rows.map { name, count, remark in
      let number = String(count)
      return name + String(repeating: " ", count: 11 + width - name.count - number.count) + number
        + remark
    }
    printSummary(
      [
        "type": "summary", "found": JSONValue(report.found), "imported": JSONValue(report.imported),
        "duplicate": JSONValue(report.duplicate), "ignored": JSONValue(report.ignored),
        "failed": JSONValue(report.failed), "notes": JSONValue(report.notes),
        "damaged": JSONValue(report.damaged), "undecoded": JSONValue(report.undecoded),
        "seconds": JSONValue(report.duration / .seconds(1)),
        "session": JSONValue(report.session), "dryRun": JSONValue(isDryRun),
      ],
      lines + [
        (isDryRun ? "dry run: nothing was imported; " : "") + "took \(report.duration.clockText)"
      ])
  }
}

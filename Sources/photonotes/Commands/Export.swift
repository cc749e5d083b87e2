import ArchiveJobs
import NoteArchive
import Terminal

/// Writes notes and their originals into a folder.
struct Export: Command, Equatable {
  var folder = Argument("")
  var selection = Selection()
  var isDryRun = false

  static let name = "export"
  static let summary = "Write notes and their originals into a folder"
  static let discussion = """
    Each note gets a folder with its photos, byte for byte, and a note.json. What is there already \
    is left alone. Check the copies with `sha256sum -c SHA256SUMS` in the folder.
    """
  static let examples = [
    Example("photonotes export ~/Favorites --favorite", "All favorites, each December again")
  ]
  static let options: [Option<Self>] =
    Selection.options.at(\.selection) + [
      .flag("--dry-run", "Say what would be written, and write nothing", \.isDryRun)
    ]
  static let positionals: [Positional<Self>] = [
    .one("DIR", "The folder; made if need be", \.folder) { $0 }
  ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    if selection.isExplained { return try session.explain(selection.query(), in: archive) }
    var job = ExportJob(folder: FilePath(bytes: folder.bytes), query: try selection.query())
    job.isDryRun = isDryRun
    let console = session.console
    let meter = ProgressMeter("Exporting", on: console)
    let report = try job.run(on: archive, shouldStop: { Interruption.isRequested }) { event in
      switch event {
      case .written(_, let byteCount): meter.advance(items: 1, bytes: Int64(byteCount))
      case .unchanged: meter.advance(items: 1)
      case .failed(let path, let detail, let remedy):
        meter.advance(items: 1, failures: 1)
        if session.isJSON {
          console.print([
            "type": "failed", "path": .string(path.text), "detail": .string(detail),
            "remedy": .string(remedy),
          ])
        } else {
          console.warn("\(printable(path.bytes)): \(detail) \(remedy)")
        }
      }
    }
    meter.finish()
    session.printSummary(
      [
        "type": "summary", "notes": JSONValue(report.notes), "written": JSONValue(report.written),
        "unchanged": JSONValue(report.unchanged), "failed": JSONValue(report.failed),
        "bytes": JSONValue(report.byteCount), "seconds": JSONValue(report.duration / .seconds(1)),
        "dryRun": JSONValue(isDryRun),
      ],
      [
        (isDryRun ? "Dry run: " : "") + "\(counted(report.notes, "note")), "
          + "\(counted(report.written, "photo")) written (\(ByteCount(report.byteCount))), "
          + "\(report.unchanged) unchanged, \(report.failed) failed."
      ])
    if report.isInterrupted { return .interrupted }
    return report.failed > 0 ? .partial : .success
  }
}

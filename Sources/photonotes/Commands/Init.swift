import NoteArchive
import Terminal

/// Makes an archive.
struct Init: Command, Equatable {
  static let name = "init"
  static let summary = "Make an archive"

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archiveMadeIfNeeded()
    session.printSummary(
      ["type": "summary", "archive": .string(archive.path)],
      ["The archive is at \(printable(archive.path))."])
    return .success
  }
}

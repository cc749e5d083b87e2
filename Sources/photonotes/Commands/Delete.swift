import NoteArchive
import Terminal

/// Puts notes into the trash.
struct Delete: Command, Equatable {
  var targets = Targets()
  var isConfirmed = false

  static let name = "delete"
  static let summary = "Put notes into the trash"
  static let options: [Option<Self>] =
    Targets.options.at(\.targets) + [.flag("--yes", "Don’t ask", \.isConfirmed).alias("-y")]
  static let positionals: [Positional<Self>] = [
    .many("NOTE", "The beginnings of ids", \.targets.notes)
  ]

  func validate() throws(UsageError) { try targets.validate() }

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    let ids = try targets.ids(in: archive)
    if !ids.isEmpty {
      let question = "Put \(counted(ids.count, "note")) into the trash?"
      guard try session.console.confirm(question, assumingYes: isConfirmed) else {
        session.console.notice("Nothing was deleted.")
        return .failure
      }
    }
    let count = try archive.delete(ids)
    session.printSummary(
      ["type": "summary", "notes": JSONValue(count)],
      ["Put \(counted(count, "note")) into the trash; `photonotes restore` takes them out again."])
    return .success
  }
}

import NoteArchive
import Terminal

/// Takes notes out of the trash.
struct Restore: Command, Equatable {
  var targets = Targets()

  static let name = "restore"
  static let summary = "Take notes out of the trash"
  static let options: [Option<Self>] = Targets.options.at(\.targets)
  static let positionals: [Positional<Self>] = [
    .many("NOTE", "The beginnings of ids; “list --trash” shows them", \.targets.notes)
  ]

  func validate() throws(UsageError) { try targets.validate() }

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    let count = try archive.restore(try targets.ids(in: archive, place: .trash))
    session.printSummary(
      ["type": "summary", "notes": JSONValue(count)], ["Restored \(counted(count, "note"))."])
    return .success
  }
}

import NoteArchive
import Terminal

/// Lists notes.
struct List: Command, Equatable {
  var selection = Selection()
  var isTrash = false

  static let name = "list"
  static let summary = "List notes"
  static let examples = [
    Example("photonotes list --text rain --favorite", "Favorites that mention rain"),
    Example("photonotes list --from 2024-05 --sort date:asc", "Since May 2024, oldest first"),
  ]
  static let options: [Option<Self>] =
    Selection.options.at(\.selection) + [
      .flag("--trash", "Of what was deleted", \.isTrash)
    ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    var query = try selection.query()
    if isTrash { query.place = .trash }
    let console = session.console
    let width = console.output.isTerminal ? console.output.width : nil
    var count = 0
    do {
      try archive.forEachNote(query) { note throws(OutputClosed) in
        guard !console.outputIsClosed else { throw OutputClosed() }
        count += 1
        if session.isJSON {
          console.print(JSONObject(note))
        } else {
          console.print(note.line(width: width))
        }
      }
    } catch is OutputClosed {
      return .success
    }
    if session.isJSON {
      console.print(["type": "summary", "notes": JSONValue(count)])
    } else {
      console.notice(counted(count, "note"))
    }
    return .success
  }

  /// Nobody reads the list any more.
  private struct OutputClosed: Error {}
}

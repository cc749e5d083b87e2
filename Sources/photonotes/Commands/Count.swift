import NoteArchive
import Terminal

/// Counts notes.
struct Count: Command, Equatable {
  var filter = Filter()

  static let name = "count"
  static let summary = "Count notes"
  static let options: [Option<Self>] = Filter.options.at(\.filter, heading: "Filters")

  func run(in session: Session) async throws -> ExitStatus {
    let count = try session.archive().count(try filter.predicate())
    if session.isJSON {
      session.console.print(["type": "summary", "notes": JSONValue(count)])
    } else {
      session.console.print(String(count))
    }
    return .success
  }
}

import NoteArchive
import Terminal

/// Shows one note with its photos.
struct Show: Command, Equatable {
  var note = ""

  static let name = "show"
  static let summary = "Show a note with its photos"
  static let positionals: [Positional<Self>] = [.one("NOTE", "The beginning of its id", \.note)]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    guard let note = try archive.note(try archive.id(beginningWith: note)) else {
      throw ArchiveError.noSuchNote(note)
    }
    if session.isJSON {
      session.console.print(JSONObject(note))
    } else {
      for line in note.lines { session.console.print(line) }
    }
    return .success
  }
}

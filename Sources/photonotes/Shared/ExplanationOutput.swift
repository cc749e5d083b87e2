import NoteArchive
import Terminal

extension Session {
  /// Prints how the notes of a query are found.
  func explain(_ query: NoteQuery, in archive: Archive) throws -> ExitStatus {
    explain(try archive.explanation(of: query), of: "notes")
  }

  /// Prints how some photos are found.
  func explain(_ query: PhotoQuery, in archive: Archive) throws -> ExitStatus {
    explain(try archive.explanation(of: query), of: "photos")
  }

  private func explain(_ explanation: QueryExplanation, of kind: String) -> ExitStatus {
    if isJSON {
      console.print([
        "type": "explanation", "predicate": .string(explanation.predicate),
        "sql": .string(explanation.sql), "search": JSONValue(explanation.search),
        "index": JSONValue(explanation.steps), "candidates": JSONValue(explanation.candidates),
        "matches": JSONValue(explanation.matches),
      ])
      return .success
    }
    let fields = [
      ("predicate", explanation.predicate), ("sql", explanation.sql),
      ("search", explanation.search ?? "none"),
      ("index", explanation.steps.joined(separator: "\n")),
      (kind, "\(explanation.candidates) looked at, \(explanation.matches) found"),
    ]
    for (name, value) in fields {
      let text = printable(value, keepingLines: true).replacing("\n", with: "\n           ")
      console.print(name + String(repeating: " ", count: 11 - name.count) + text)
    }
    return .success
  }
}

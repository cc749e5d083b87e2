import NoteArchive
import Terminal

extension Session {
  /// Prints how the notes of a query are found.
  func explain(_ query: NoteQuery, in archive: Archive) throws -> ExitStatus {
    let explanation = try archive.explanation(of: query)
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
      ("notes", "\(explanation.candidates) looked at, \(explanation.matches) found"),
    ]
    for (name, value) in fields {
      let text = printable(value, keepingLines: true).replacing("\n", with: "\n           ")
      console.print(name + String(repeating: " ", count: 11 - name.count) + text)
    }
    return .success
  }
}

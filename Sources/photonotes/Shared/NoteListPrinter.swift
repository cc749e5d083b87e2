import NoteArchive
import Terminal

/// Prints the notes of a list, and then what changes in it.
struct NoteListPrinter {
  private let session: Session
  private let isGrouped: Bool
  private let width: Int?
  private var count = 0
  private var section: String??

  init(_ session: Session, isGrouped: Bool) {
    (self.session, self.isGrouped) = (session, isGrouped)
    let output = session.console.output
    width = output.isTerminal ? output.width : nil
  }

  /// Prints the next note, under a heading where a section begins.
  mutating func print(_ note: Note, in section: String?) {
    count += 1
    if session.isJSON {
      var object = JSONObject(note)
      if isGrouped { object["section"] = JSONValue(section) }
      session.console.print(object)
      return
    }
    if isGrouped, self.section != .some(section) {
      if self.section != nil { session.console.print("") }
      self.section = .some(section)
      let heading = section.map { printable($0) } ?? "(none)"
      session.console.print(session.console.output.styled(heading, .bold))
    }
    session.console.print(note.line(width: width))
  }

  func printSummary() {
    if session.isJSON {
      session.console.print(["type": "summary", "notes": JSONValue(count)])
    } else {
      session.console.notice(counted(count, "note"))
    }
  }

  /// Prints the list and what changes in it, until Ctrl-C or until nobody reads any more.
  func follow(_ results: FetchedResults<Note>) async throws -> ExitStatus {
    if let error = results.error { throw error }
    let following = Task {
      var printer = self
      var isFirst = true
      for await snapshot in results.snapshots {
        if isFirst { printer.print(snapshot) } else { printer.printChanges(snapshot) }
        isFirst = false
        printer.count = snapshot.elements.count
        session.console.flush()
      }
      return printer
    }
    while !Interruption.isRequested, !session.console.outputIsClosed {
      try await Task.sleep(for: .milliseconds(50))
    }
    following.cancel()
    await following.value.printSummary()
    return Interruption.isRequested ? .interrupted : .success
  }

  private mutating func print(_ snapshot: FetchedSnapshot<Note>) {
    let sections =
      isGrouped
      ? snapshot.sections.map { ($0.name, $0.elements) } : [(nil, snapshot.elements[...])]
    for (name, notes) in sections {
      for note in notes where !Task.isCancelled { print(note, in: name) }
    }
    if !session.isJSON { printSummary() }
  }

  private func printChanges(_ snapshot: FetchedSnapshot<Note>) {
    if let error = snapshot.error {
      return session.console.warn(printable(error.errorDescription ?? "\(error)"))
    }
    for change in snapshot.difference.changes {
      switch change {
      case .remove(let note, let offset): print("remove", "-", note, [("from", offset)])
      case .move(let note, let origin, let offset):
        print("move", "~", note, [("from", origin), ("to", offset)], in: snapshot)
      case .insert(let note, let offset): print("insert", "+", note, [("to", offset)], in: snapshot)
      case .update(let note, let offset): print("update", "~", note, [("to", offset)], in: snapshot)
      }
    }
  }

  /// One change: with `--json` the note's object, whose type is what happened, and the offsets.
  private func print(
    _ type: String, _ mark: String, _ note: Note, _ offsets: [(key: String, offset: Int)],
    in snapshot: FetchedSnapshot<Note>? = nil
  ) {
    guard session.isJSON else {
      return session.console.print("\(mark) \(note.line(width: width.map { $0 - 2 }))")
    }
    var object = JSONObject(note)
    object["type"] = .string(type)
    for (key, offset) in offsets { object[key] = JSONValue(offset) }
    if isGrouped, let snapshot, let offset = offsets.last?.offset {
      let section = snapshot.sections.first { $0.elements.indices.contains(offset) }
      object["section"] = JSONValue(section?.name)
    }
    session.console.print(object)
  }
}

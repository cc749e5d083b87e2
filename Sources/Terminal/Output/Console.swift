import FoundationEssentials
import Glibc
import Synchronization

/// The program's side of the conversation, for any task to use.
///
/// Results go to standard output, everything else to standard error.
package final class Console: Sendable {
  /// Standard output.
  package let output: Channel
  /// Standard error.
  package let errors: Channel
  /// Whether progress and notices are kept back; warnings and questions are not.
  package let isQuiet: Bool

  private let answers: (@Sendable () -> String?)?
  private let state = Mutex(State())

  private struct State {
    var pending: [UInt8] = []  // Of standard output.
    var outputError: Int32 = 0  // `errno` of the first write that failed.
    var bar = ""  // What stands on the last line of the terminal, to be drawn over.
  }

  /// The console of this process.
  package convenience init(isQuiet: Bool = false) {
    let errors = Channel(descriptor: 2)
    let canAnswer = errors.isTerminal && isatty(0) == 1
    self.init(
      output: Channel(descriptor: 1), errors: errors, isQuiet: isQuiet,
      answers: canAnswer ? lineOfInput : nil)
  }

  /// A console of these parts.
  ///
  /// `answers` gives a person's next line, nil at the end; it is nil where nobody can answer.
  package init(
    output: Channel, errors: Channel, isQuiet: Bool = false,
    answers: (@Sendable () -> String?)? = nil
  ) {
    self.output = output
    self.errors = errors
    self.isQuiet = isQuiet
    self.answers = answers
  }

  // MARK: Results

  /// Writes a result and the end of its line to standard output.
  ///
  /// Text that is not the program's own must be `printable` already. It is kept back until there are
  /// 64 kB, or `flush`; on a terminal it shows at once. When nobody reads any more, or the disk is
  /// full, the rest is dropped: see `outputIsClosed` and `finish`.
  package func print(_ line: String) { write(line + "\n") }

  /// Writes text to standard output as `print` does, without ending its line.
  package func write(_ text: String) {
    state.withLock { state in
      guard state.outputError == 0 else { return }
      state.pending += text.utf8
      if output.isTerminal || state.pending.count >= 1 << 16 { flush(&state) }
    }
  }

  /// Writes a JSON object to standard output, on a line of its own.
  package func print(_ object: JSONObject) { print(object.description) }

  /// Writes a table to standard output, cut to the width of the terminal if it is one.
  package func print(_ table: Table) {
    let lines = table.lines(width: output.isTerminal ? output.width : nil)
    for (index, line) in lines.enumerated() {
      print(index == 0 ? output.styled(line, .bold) : line)
    }
  }

  /// Sends what is kept back, so that a reader who waits for it sees it.
  package func flush() { state.withLock { flush(&$0) } }

  /// Whether nobody reads the results any more, as when `head` has seen enough: a command that only
  /// prints may stop.
  package var outputIsClosed: Bool {
    state.withLock { $0.outputError != 0 } || output.isAbandoned()
  }

  /// Sends what is kept back, at the end of the run.
  ///
  /// - Throws: What kept a result from being written. A reader that has gone is no error.
  package func finish() throws(OutputError) {
    let code = state.withLock { state in
      flush(&state)
      return state.outputError
    }
    if code != 0, code != EPIPE { throw OutputError(code: code) }
  }

  private func flush(_ state: inout State) {
    if state.pending.isEmpty { return }
    erase(&state)
    if state.outputError == 0 { state.outputError = output.write(state.pending) }
    state.pending = []
    redraw(&state)
  }

  // MARK: Beside the results

  /// Writes a line to standard error unless the run is quiet: what goes on, and what came of it.
  package func notice(_ line: String) { if !isQuiet { writeError(line) } }

  /// Writes a warning to standard error.
  package func warn(_ line: String) { writeError("\(errors.styled("warning:", .yellow)) \(line)") }

  /// Writes an error to standard error, on one line: what, where, and what to do next.
  package func report(_ error: any Error, of program: String) {
    let known = error as? any LocalizedError
    let parts = [known?.errorDescription ?? "\(error)", known?.recoverySuggestion]
    let message = parts.compactMap(\.self).map { printable($0) }.joined(separator: " ")
    writeError("\(program): \(errors.styled("error:", .red)) \(message)")
  }

  private func writeError(_ line: String) {
    state.withLock { state in
      flush(&state)  // What came first shows first where both are one terminal.
      erase(&state)
      _ = errors.write(Array("\(line)\n".utf8))
      redraw(&state)
    }
  }

  /// Asks before something is destroyed; only a `y` or `yes` is a yes.
  ///
  /// The question has the exact count: “Delete 12 notes?”. With `assumingYes`, as `--yes` says, it is
  /// not asked; where it would be and there is no terminal to ask on, an error says so.
  package func confirm(_ question: String, assumingYes: Bool) throws(UsageError) -> Bool {
    if assumingYes { return true }
    guard let answers else {
      throw UsageError(
        "“\(question)” needs an answer, and there is no terminal to ask on.",
        remedy: "Add “--yes” if it is meant.")
    }
    state.withLock { state in
      flush(&state)
      erase(&state)
      state.bar = ""
      _ = errors.write(Array("\(question) [y/N] ".utf8))
    }
    return ["y", "yes"].contains(answers()?.lowercased() ?? "")
  }

  // MARK: Progress

  /// Draws `bar` over the last line of the terminal; an empty one clears it.
  func draw(bar: String) {
    state.withLock { state in
      erase(&state)
      state.bar = bar
      redraw(&state)
    }
  }

  private func erase(_ state: inout State) {
    if !state.bar.isEmpty { _ = errors.write(Array("\r\u{1B}[K".utf8)) }
  }

  private func redraw(_ state: inout State) {
    if !state.bar.isEmpty { _ = errors.write(Array(state.bar.utf8)) }
  }
}

/// Results that could not be written to standard output.
package struct OutputError: LocalizedError, Equatable {
  /// The `errno` of the write that failed.
  package let code: Int32

  /// The error of this `errno`.
  package init(code: Int32) { self.code = code }

  /// What is wrong.
  package var errorDescription: String? {
    "Standard output could not be written: \(String(cString: strerror(code)))."
  }
  /// What to do.
  package var recoverySuggestion: String? {
    code == ENOSPC ? "Make room on its disk and run the command again." : nil
  }
}

/// The next line of standard input without its end; nil at the end of input or on Ctrl-C.
@Sendable private func lineOfInput() -> String? {
  var line: [UInt8] = []
  while !Interruption.isRequested {
    // Unlike `read`, `poll` is not resumed after a signal.
    var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    if poll(&ready, 1, -1) < 0 { continue }
    var byte: UInt8 = 0
    guard read(0, &byte, 1) == 1 else { break }
    if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
    line.append(byte)
  }
  return line.isEmpty || Interruption.isRequested ? nil : String(decoding: line, as: UTF8.self)
}

import FoundationEssentials
import Glibc
import Synchronization
import Terminal
import Testing

@Suite struct ConsoleTests {
  let out = Recording()
  let err = Recording()

  private func console(
    isTerminal: Bool = false, isQuiet: Bool = false, answers: (@Sendable () -> String?)? = nil
  ) -> Console {
    Console(
      output: Channel(recording: out, isTerminal: isTerminal),
      errors: Channel(recording: err, isTerminal: isTerminal, usesColor: isTerminal),
      isQuiet: isQuiet, answers: answers)
  }

  @Test func `results are kept back in a pipe until they are many or flushed`() throws {
    let console = console()
    console.print("one")
    #expect(out.text == "")
    console.flush()
    #expect(out.text == "one\n")
    console.print(String(repeating: "x", count: 1 << 16))
    #expect(out.text.utf8.count == 4 + 1 << 16 + 1)
    console.print(["type": "summary", "found": 2])
    try console.finish()
    #expect(out.text.hasSuffix("\n{\"type\":\"summary\",\"found\":2}\n"))
    #expect(err.text == "")
  }

  @Test func `a terminal shows results at once`() {
    let console = console(isTerminal: true)
    console.print("one")
    #expect(out.text == "one\n")
  }

  @Test func `warnings and errors go to standard error, notices unless quiet`() {
    for quiet in [false, true] {
      let console = console(isQuiet: quiet)
      console.notice("note")
      console.warn("careful")
      console.report(UsageError("No “\u{1B}”.", remedy: "Try.\nAgain."), of: "shelf")
    }
    #expect(
      err.text == """
        note
        warning: careful
        shelf: error: No “\\u{1B}”. Try.\\nAgain.
        warning: careful
        shelf: error: No “\\u{1B}”. Try.\\nAgain.

        """)
    #expect(out.text == "")
  }

  @Test func `colour is only for a terminal`() {
    console(isTerminal: true).warn("x")
    #expect(err.text == "\u{1B}[33mwarning:\u{1B}[0m x\n")
  }

  @Test(
    arguments: [
      ("y", true), ("Yes", true), ("n", false), ("", false), ("yep", false), (nil, false),
    ] as [(String?, Bool)])
  func `only a yes is a yes`(answer: String?, expected: Bool) throws {
    let confirmed = try console(answers: { answer }).confirm("Delete 12 books?", assumingYes: false)
    #expect(confirmed == expected)
    #expect(err.text == "Delete 12 books? [y/N] ")
  }

  @Test func `without a terminal a question needs its answer on the command line`() throws {
    let console = console()
    #expect(try console.confirm("Delete 12 books?", assumingYes: true))
    #expect(err.text == "")
    expect(
      "“Delete 12 books?” needs an answer, and there is no terminal to ask on. "
        + "Add “--yes” if it is meant."
    ) { () throws(UsageError) in _ = try console.confirm("Delete 12 books?", assumingYes: false) }
  }

  @Test func `a reader that has gone is no error, and the rest is dropped`() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    let console = Console(
      output: Channel(descriptor: ends[1]), errors: Channel(recording: err))
    #expect(console.outputIsClosed)  // Before anything is written: one who waits has to know.
    console.print("one")
    console.flush()
    console.print("two")
    try console.finish()
    close(ends[1])
  }

  @Test func `a full disk is an error`() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    try #require(descriptor >= 0)
    let console = Console(
      output: Channel(descriptor: descriptor), errors: Channel(recording: err))
    console.print("one")
    #expect(throws: OutputError(code: ENOSPC)) { try console.finish() }
    close(descriptor)
  }

  @Test func `a pipe that is full, and does not block, is waited for`() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let (reading, writing) = (ends[0], ends[1])
    let text = String(repeating: "x", count: 1 << 20)
    async let count = Task.detached {
      var buffer = [UInt8](repeating: 0, count: 4096)
      var count = 0
      while case let n = read(reading, &buffer, buffer.count), n > 0 { count += n }
      return count
    }.value
    let console = Console(output: Channel(descriptor: writing), errors: Channel(recording: err))
    console.print(text)
    try console.finish()
    close(writing)
    #expect(await count == text.utf8.count + 1)
    close(reading)
  }
}

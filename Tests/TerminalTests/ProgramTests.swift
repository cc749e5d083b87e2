import Terminal
import Testing

private let program = SampleProgram.program

@Suite struct ProgramTests {
  @Test(arguments: [
    ["--place", "x", "--json", "list", "--text", "a"],
    ["list", "--text", "a", "--json", "--place=x"],
    ["--json", "list", "--place", "x", "--text", "a"],
  ])
  func `the program's options stand before or after the command`(words: [String]) throws {
    let (command, globals) = try interpret(words)
    #expect(command as? SampleProgram.ListBooks == .init(filter: .init(text: "a")))
    #expect(globals == .init(place: "x", json: true))
  }

  @Test(arguments: [
    ["covers", "rebuild", "--all", "--json"], ["--json", "covers", "--json", "rebuild", "-a"],
  ])
  func `a subcommand is found below its command`(words: [String]) throws {
    let (command, globals) = try interpret(words)
    #expect(command as? SampleProgram.Rebuild == .init(all: true))
    #expect(globals.json)
  }

  @Test(arguments: [
    (["lits"], "“shelf” has no command “lits”. Did you mean “list”?"),
    (["frobnicate"], "“shelf” has no command “frobnicate”. See “shelf --help”."),
    ([], "“shelf” needs a command. See “shelf --help”."),
    (
      ["--text", "a", "list"],
      "“shelf” has no option “--text”. A command's options come after its name."
    ),
    (["--jsn", "list"], "“shelf” has no option “--jsn”. Did you mean “--json”?"),
    (["list", "--jsn"], "“shelf list” has no option “--jsn”. Did you mean “--json”?"),
    (["covers"], "“covers” needs a command of its own: “status” or “rebuild”."),
    (["covers", "rebiuld"], "“shelf covers” has no command “rebiuld”. Did you mean “rebuild”?"),
    (["--place"], "“shelf” needs a command. See “shelf --help”."),
    (["list", "--place"], "“--place” needs a value. Write “--place PATH”."),
  ])
  func `a wrong command line is answered with what to do`(words: [String], message: String) {
    expect(message) { () throws(UsageError) in _ = try program.interpret(words.map { Argument($0) })
    }
  }

  @Test func `version`() throws {
    #expect(try printed(["--version"]) == "shelf 1.2\n")
    #expect(try printed(["--json", "--version"]) == "shelf 1.2\n")
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["help"], ["--help", "nonsense"], ["--json", "--help"],
  ])
  func `help is the program's, whatever else is wrong`(words: [String]) throws {
    #expect(
      try printed(words) == """
        shelf: Keep books on a shelf.

        Usage: shelf [OPTIONS] COMMAND ...

        Books:
          add                     Put books on the shelf.
          list                    Show books.
          move                    Move books to another place.

        Upkeep:
          covers                  Look after the covers.

        Options for every command:
          --place PATH            Where the shelf is
          --json                  One JSON object a line
          -h, --help              Show this help
          --version               Show the version

        See “shelf COMMAND --help” for the options of a command.

        """)
  }

  @Test(arguments: [["add", "--help"], ["help", "add"], ["--json", "add", "-h", "--bad"]])
  func `a command's help has its arguments, options, defaults and examples`(words: [String]) throws
  {
    #expect(
      try printed(words, width: 60) == """
        shelf add: Put books on the shelf.

        Usage: shelf add [OPTIONS] PATH...

        Every file becomes a book. A folder's books are put side by
        side, in the order of their names.

        Nothing is moved.

        Arguments:
          PATH...           Folders and files

        Options:
          --depth LEVELS    How deep to look in folders (default: 3)

        Options for every command:
          --place PATH      Where the shelf is
          --json            One JSON object a line
          -h, --help        Show this help

        Examples:
          shelf add ~/novels --depth 1
              Only the folder's own books

        """)
  }

  @Test func `help lists choices, short names and groups, and no other spellings`() throws {
    let help = try printed(["list", "--help"])
    #expect(help.contains("\nFilters:\n  --text WORD "))
    #expect(help.contains("  -n, --limit N "))
    #expect(help.contains("(title, author or year;\n                          default: title)"))
    #expect(help.contains("Books with this tag (may be repeated)"))
    #expect(!help.contains("favourite"))
    #expect(
      try printed(["covers", "--help"]).contains("Usage: shelf covers [OPTIONS] COMMAND ..."))
  }

  @Test(arguments: [0, 40, 60, 80, 132])
  func `no line of help is wider than the terminal`(width: Int) throws {
    for words in [["--help"], ["add", "--help"], ["list", "--help"], ["covers", "--help"]] {
      for line in try printed(words, width: width).split(separator: "\n") {
        #expect(displayWidth(String(line)) <= max(40, width), "\(line)")
      }
    }
  }

  @Test func `a double dash hides help`() throws {
    let (command, _) = try interpret(["add", "--", "--help"])
    #expect(command as? SampleProgram.Add == .init(paths: ["--help"]))
  }

  @Test func `a command runs in the program's session`() async throws {
    let (command, _) = try interpret(["covers", "rebuild"])
    #expect(try await command.run(in: SampleProgram.Session()) == .partial)
  }

  private func interpret(
    _ words: [String]
  ) throws -> (any Command<SampleProgram.Session>, SampleProgram.Globals) {
    switch try program.interpret(words.map { Argument($0) }) {
    case .run(let command, let globals): return (command, globals)
    case .print(let text): throw UsageError("Printed: \(text)")
    }
  }

  private func printed(_ words: [String], width: Int = 80) throws -> String {
    guard case .print(let text) = try program.interpret(words.map { Argument($0) }, width: width)
    else { throw UsageError("Nothing was printed.") }
    return text
  }
}

import Terminal
import Testing

private typealias Add = SampleProgram.Add
private typealias ListBooks = SampleProgram.ListBooks
private typealias Move = SampleProgram.Move
private typealias Rebuild = SampleProgram.Rebuild
private typealias Filter = SampleProgram.Filter

@Suite struct CommandTests {
  @Test func `without words a command has its defaults`() throws {
    #expect(try ListBooks.parse([]) == ListBooks())
    #expect(try Rebuild.parse([]) == Rebuild())
  }

  @Test(arguments: [["--depth", "5", "a"], ["--depth=5", "a"], ["a", "--depth", "5"]])
  func `an option stands anywhere, with its value after it or after an equals sign`(
    words: [String]
  ) throws {
    #expect(try Add.parse(words.map { Argument($0) }) == Add(paths: ["a"], depth: 5))
  }

  @Test func `options in common set the shared struct`() throws {
    let command = try ListBooks.parse([
      "--text", "sea", "--tag", "a", "--tag=b", "--favourite", "--since", "1999", "-n", "7",
      "--order", "year",
    ])
    let filter = Filter(
      text: "sea", tags: ["a", "b"], favorite: true, since: try .init("1999"), limit: 7)
    #expect(command == ListBooks(filter: filter, order: .year))
    #expect(try ListBooks.parse(["--no-favorite"]).filter.favorite == false)
  }

  @Test func `a double dash ends the options`() throws {
    #expect(try Add.parse(["--", "--depth", "-x"]).paths == ["--depth", "-x"])
    #expect(try Add.parse(["-"]).paths == ["-"])
  }

  @Test func `what looks like no option's name can be a value`() throws {
    #expect(try ListBooks.parse(["--text", "-5"]).filter.text == "-5")
    #expect(try ListBooks.parse(["--text", "--dry"]).filter.text == "--dry")
    #expect(try ListBooks.parse(["--text="]).filter.text == "")
    #expect(try ListBooks.parse(["--text=--tag=x"]).filter.text == "--tag=x")
    #expect(try Add.parse(["-5"]).paths == ["-5"])
  }

  @Test func `the last word goes to the last positional`() throws {
    #expect(try Move.parse(["a", "b", "c"]) == Move(books: ["a", "b"], place: "c"))
  }

  @Test func `a path keeps bytes that are not UTF-8`() throws {
    let odd = Argument(bytes: [0x61, 0xFF, 0x0A])
    let path = try Add.parse([odd]).paths[0]
    #expect(path.bytes == [0x61, 0xFF, 0x0A])
    #expect("\(path)" == #"a\xFF\n"#)
    let option = try SampleProgram.program.interpret([
      Argument(bytes: Array("--place=".utf8) + odd.bytes), "list",
    ])
    guard case .run(_, let globals) = option else { throw UsageError("\(option)") }
    #expect(globals.place == odd)
  }

  @Test(arguments: [
    (["a", "--depht", "2"], "“add” has no option “--depht”. Did you mean “--depth”?"),
    (["a", "--xyz"], "“add” has no option “--xyz”. See “add --help”."),
    (["a", "--\u{1B}"], #"“add” has no option “--\u{1B}”. See “add --help”."#),
    (["a", "--depth"], "“--depth” needs a value. Write “--depth LEVELS”."),
    (
      ["a", "--depth", "ten"],
      "“--depth” needs a whole number from 1 to 9, not “ten”. See “add --help”."
    ),
    (
      ["a", "--depth", "-1"],
      "“--depth” needs a whole number from 1 to 9, not “-1”. See “add --help”."
    ),
    (
      ["a", "--depth=99999999999999999999"],
      "“--depth” needs a whole number from 1 to 9, not “99999999999999999999”. See “add --help”."
    ),
    (
      ["a", "--depth=2", "--depth=3"], "“--depth” is given twice, with different values. Keep one."
    ),
    ([], "“add” needs at least one PATH. PATH: Folders and files."),
  ])
  func `a wrong word is named, with what to do`(words: [String], message: String) {
    expect(message) { () throws(UsageError) in _ = try Add.parse(words.map { Argument($0) }) }
  }

  @Test(arguments: [
    (
      ["--text", "--favorite"],
      "“--text” needs a value, and “--favorite” follows, which is an option. "
        + "If it is the value, write “--text=--favorite”."
    ),
    (
      ["--favourite", "--no-favorite"],
      "“--favorite” and “--no-favorite” contradict each other. Keep one."
    ),
    (["--favorite=yes"], "“--favorite” takes no value. Write “--favorite” alone."),
    (
      ["--order", "size"],
      "“--order” needs title, author or year, not “size”. See “list --help”."
    ),
    (["--since", "99"], "“--since”: “99” is no year. Write one like 1999."),
    (["--limit", "0"], "“--limit” needs a whole number from 1 up, not “0”. See “list --help”."),
    (["word"], "“list” does not know what to do with “word”. See “list --help”."),
  ])
  func `a wrong filter is named, with what to do`(words: [String], message: String) {
    expect(message) { () throws(UsageError) in _ = try ListBooks.parse(words.map { Argument($0) }) }
  }

  @Test func `a text that is not UTF-8 is refused`() {
    expect(#"“--text” needs text in UTF-8, not “\xFF”. See “list --help”."#) {
      () throws(UsageError) in
      _ = try ListBooks.parse([Argument(bytes: Array("--text=".utf8) + [0xFF])])
    }
  }

  @Test func `an option may be repeated as it is`() throws {
    #expect(try ListBooks.parse(["--favorite", "--favourite"]).filter.favorite == true)
    #expect(try Add.parse(["--depth=2", "--depth", "2", "a"]).depth == 2)
  }

  @Test func `what no single option can know is checked by the command`() {
    expect("“--all” and “--stale” exclude each other. Keep one.") { () throws(UsageError) in
      _ = try Rebuild.parse(["-a", "--stale"])
    }
  }

  @Test(
    arguments: [
      ("--favroite", "--favorite"), ("--favor", nil), ("lst", "list"), ("zebra", nil), ("", nil),
      ("ilst", "list"),
    ] as [(String, String?)])
  func `a near name is suggested, a far one is not`(word: String, expected: String?) {
    #expect(closest(to: word, among: ["--favorite", "--limit", "list", "add"]) == expected)
  }
}

/// Expects a usage error that says `message`.
func expect(
  _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
  from body: () throws(UsageError) -> Void
) {
  do {
    try body()
    Issue.record(
      "Nothing was wrong, where “\(message)” was expected.", sourceLocation: sourceLocation)
  } catch {
    let said = [error.message, error.remedy].compactMap(\.self).joined(separator: " ")
    #expect(said == message, sourceLocation: sourceLocation)
  }
}

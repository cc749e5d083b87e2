/// A command of a program: a value whose fields are set by its options and arguments.
///
/// The fields' values in `init()` are the defaults.
package protocol Command<Context>: Sendable {
  /// What the program gives its commands to work with.
  associatedtype Context

  /// The word that calls it.
  static var name: String { get }
  /// What it does, as a sentence in the imperative.
  static var summary: String { get }
  /// What else its help says: paragraphs with an empty line between them.
  static var discussion: String { get }
  /// Command lines worth copying.
  static var examples: [Example] { get }
  /// Its options, in the order of its help.
  static var options: [Option<Self>] { get }
  /// Its arguments, in the order of the command line; at most one takes many.
  static var positionals: [Positional<Self>] { get }
  /// Commands below this one: `thumbnails rebuild`. A command that has them takes no positionals.
  static var subcommands: [any Command<Context>.Type] { get }

  init()

  /// Checks what no single option can: that two go together, or that one of them is there.
  func validate() throws(UsageError)

  /// Does what the command is for.
  func run(in context: Context) async throws -> ExitStatus
}

extension Command {
  /// Nothing more.
  package static var discussion: String { "" }
  /// None.
  package static var examples: [Example] { [] }
  /// None.
  package static var options: [Option<Self>] { [] }
  /// None.
  package static var positionals: [Positional<Self>] { [] }
  /// None.
  package static var subcommands: [any Command<Context>.Type] { [] }
  /// Finds nothing wrong.
  package func validate() throws(UsageError) {}

  /// The command that these words ask for, without the program's own options.
  package static func parse(_ arguments: [Argument]) throws(UsageError) -> Self {
    var command = Self()
    try Parser(
      command: name, options: options, positionals: positionals,
      subcommands: subcommands.map { $0.name }
    ).parse(arguments, into: &command)
    try command.validate()
    return command
  }
}

/// A command that only leads to its subcommands.
package protocol CommandFamily: Command {}

extension CommandFamily {
  /// Says that a subcommand is missing.
  package func validate() throws(UsageError) {
    let names = Self.subcommands.map { "“\($0.name)”" }
    throw UsageError(
      "“\(Self.name)” needs a command of its own: \(names.formatted(lastSeparator: "or")).")
  }

  /// Never called: `validate` lets no such command be made.
  package func run(in context: Context) -> ExitStatus { .usage }
}

/// A command line in a help page, and what it does.
package struct Example: Sendable {
  let line: String, meaning: String

  /// An example: “photonotes list --on today”, “Today's notes”.
  package init(_ line: String, _ meaning: String) { (self.line, self.meaning) = (line, meaning) }
}

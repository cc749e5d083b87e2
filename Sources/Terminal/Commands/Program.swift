/// A program of several commands, with options of its own that stand before or after the command.
package struct Program<Context, Globals: Sendable>: Sendable {
  /// Commands that help lists together.
  package struct Section: Sendable {
    let title: String
    let commands: [any Command<Context>.Type]

    /// Commands under a title.
    package init(_ title: String, _ commands: [any Command<Context>.Type]) {
      (self.title, self.commands) = (title, commands)
    }
  }

  /// What a command line asks for.
  package enum Invocation: Sendable {
    case run(any Command<Context>, Globals)
    /// To print this text: help, or the version.
    case print(String)
  }

  package let name: String
  let version: String
  let summary: String
  let defaults: Globals
  let options: [Option<Globals>]
  let sections: [Section]

  /// A program; `defaults` are its own options' values when not given.
  package init(
    name: String, version: String, summary: String, defaults: Globals, options: [Option<Globals>],
    sections: [Section]
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.defaults = defaults
    self.options = options
    self.sections = sections
  }

  var commands: [any Command<Context>.Type] { sections.flatMap(\.commands) }

  /// What `arguments`, without the program's name, ask for; help is laid out in `width` columns.
  package func interpret(
    _ arguments: [Argument], width: Int = 80
  ) throws(UsageError) -> Invocation {
    let words = arguments.first == "help" ? ["--help"] + arguments.dropFirst() : arguments
    let switches = words.prefix { $0 != "--" }
    let wantsHelp = switches.contains { $0.isHelp }
    let (path, command, rest) = try command(in: wantsHelp ? words.filter { !$0.isHelp } : words)
    guard let command else {
      if wantsHelp { return .print(help(width: width)) }
      if switches.contains("--version") { return .print("\(name) \(version)\n") }
      if let word = rest.first {
        throw unknownCommand(word, of: name, among: commands.map { $0.name })
      }
      throw UsageError("“\(name)” needs a command.", remedy: "See “\(name) --help”.")
    }
    if wantsHelp { return .print(command.help(as: path, options: options, defaults, width: width)) }
    return try command.invocation(as: path, rest, of: self)
  }

  /// The command that is called, under its full name, and the words that are left for it; without a
  /// command, those after the program's own options.
  private func command(
    in arguments: [Argument]
  ) throws(UsageError) -> (path: String, command: (any Command<Context>.Type)?, rest: [Argument]) {
    let parser = Parser(command: name, options: options, positionals: [], subcommands: [])
    var path = name
    var command: (any Command<Context>.Type)?
    var candidates = commands
    var own: [Argument] = []
    var rest = arguments[...]
    while let word = rest.first {
      if let match = candidates.first(where: { Argument($0.name) == word }) {
        (path, command, candidates) = ("\(path) \(match.name)", match, match.subcommands)
        rest.removeFirst()
        continue
      }
      // One of the program's options, with its value: the command comes after it.
      guard let option = parser.option(in: word) else { break }
      own.append(rest.removeFirst())
      if option.takesValue, word.optionParts?.value == nil, let value = rest.popFirst() {
        own.append(value)
      }
    }
    if command == nil, let name = rest.first?.optionParts?.name, name != "--version" {
      throw parser.unknownOption(name, remedy: "A command's options come after its name.")
    }
    return (path, command, command == nil ? Array(rest) : own + rest)
  }
}

extension Command {
  /// The command with its fields set, and the program's options with theirs.
  fileprivate static func invocation<Globals>(
    as path: String, _ arguments: [Argument], of program: Program<Context, Globals>
  ) throws(UsageError) -> Program<Context, Globals>.Invocation {
    var line = Line(command: Self(), globals: program.defaults)
    try Parser(
      command: path,
      options: options.at(\Line<Self, Globals>.command)
        + program.options.at(\Line<Self, Globals>.globals),
      positionals: positionals.at(\Line<Self, Globals>.command),
      subcommands: subcommands.map { $0.name }
    ).parse(arguments, into: &line)
    try line.command.validate()
    return .run(line.command, line.globals)
  }
}

/// All that a command line sets.
private struct Line<Command, Globals> {
  var command: Command
  var globals: Globals
}

extension Argument {
  fileprivate var isHelp: Bool { self == "--help" || self == "-h" }
}

// Help is plain text, of what the commands say of themselves.

/// How help lists itself: it is not an option of any command's, as it is read before all others.
private let helpOption = (term: "-h, --help", meaning: "Show this help")

extension Program {
  /// The program's help: its commands and its own options, in lines of at most `width` columns.
  func help(width: Int) -> String {
    var page = HelpPage(width: width)
    page.paragraph("\(name): \(summary)")
    page.paragraph("Usage: \(name) [OPTIONS] COMMAND ...")
    for section in sections {
      page.list(section.title, section.commands.map { ($0.name, $0.summary) })
    }
    page.options(
      options, defaults, titled: "Options for every command",
      more: [helpOption, ("--version", "Show the version")])
    page.paragraph("See “\(name) COMMAND --help” for the options of a command.")
    return page.text
  }
}

extension Command {
  /// The command's help under its full name, in lines of at most `width` columns.
  static func help<Globals>(
    as path: String, options globals: [Option<Globals>], _ defaults: Globals, width: Int
  ) -> String {
    var page = HelpPage(width: width)
    page.paragraph("\(path): \(summary)")
    let words = subcommands.isEmpty ? positionals.map(\.synopsis) : ["COMMAND ..."]
    page.paragraph("Usage: " + ([path, "[OPTIONS]"] + words).joined(separator: " "))
    for paragraph in discussion.split(separator: "\n\n") { page.paragraph(String(paragraph)) }
    page.list("Commands", subcommands.map { ($0.name, $0.summary) })
    page.list("Arguments", positionals.map { ($0.synopsis, $0.help) })
    let headings = options.map(\.heading)
    for (index, heading) in headings.enumerated() where headings.firstIndex(of: heading) == index {
      page.options(options.filter { $0.heading == heading }, Self(), titled: heading)
    }
    page.options(globals, defaults, titled: "Options for every command", more: [helpOption])
    page.examples(examples)
    return page.text
  }
}

/// A page of help under construction: blocks with an empty line between them.
private struct HelpPage {
  let width: Int
  private(set) var text = ""

  init(width: Int) { self.width = max(40, width) }

  mutating func paragraph(_ words: String) { add(wrapped(words, to: width)) }

  /// Terms, each with its meaning in a column of its own; nothing where there are none.
  mutating func list(_ title: String, _ entries: [(term: String, meaning: String)]) {
    if entries.isEmpty { return }
    let indent = min(28, width / 3)
    var lines = ["\(title):"]
    for (term, meaning) in entries {
      let start = "  \(term)"
      let gap = indent - displayWidth(start)
      let block = wrapped(meaning, to: width - indent)
      let margin = String(repeating: " ", count: indent)
      if gap < 2 { lines.append(start) }
      lines.append((gap < 2 ? margin : start + String(repeating: " ", count: gap)) + block[0])
      lines += block.dropFirst().map { margin + $0 }
    }
    add(lines)
  }

  mutating func options<Root>(
    _ options: [Option<Root>], _ defaults: Root, titled title: String,
    more: [(term: String, meaning: String)] = []
  ) {
    let entries = options.map { option in
      let short = option.names.filter { !$0.hasPrefix("--") }
      let long = option.names.first { $0.hasPrefix("--") }
      let names = (short + (long.map { [$0] } ?? [])).joined(separator: ", ")
      var notes: [String] = []
      if !option.choices.isEmpty {
        notes.append(option.choices.formatted(lastSeparator: "or"))
      }
      if option.repeats { notes.append("may be repeated") }
      if let value = option.shownDefault(defaults) { notes.append("default: \(value)") }
      return (
        term: option.placeholder.map { "\(names) \($0)" } ?? names,
        meaning: option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
      )
    }
    list(title, entries + more)
  }

  mutating func examples(_ examples: [Example]) {
    if examples.isEmpty { return }
    add(
      ["Examples:"]
        + examples.flatMap { example in
          ["  \(example.line)"] + wrapped(example.meaning, to: width - 6).map { "      \($0)" }
        })
  }

  private mutating func add(_ lines: [String]) {
    if !text.isEmpty { text += "\n" }
    for line in lines { text += line + "\n" }
  }
}

/// The words of `text` in lines of at most `width` columns; at least one line.
func wrapped(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: \.isWhitespace) {
    if line.isEmpty {
      line = String(word)
    } else if displayWidth(line) + 1 + displayWidth(String(word)) <= width {
      line += " " + word
    } else {
      lines.append(line)
      line = String(word)
    }
  }
  return lines + [line]
}

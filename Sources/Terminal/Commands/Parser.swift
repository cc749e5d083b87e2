import FoundationEssentials

/// Reads the words after a command's name into the command's fields.
struct Parser<Root> {
  let command: String
  let options: [Option<Root>]
  let positionals: [Positional<Root>]
  let subcommands: [String]

  /// Sets the fields of `root`, options first.
  func parse(_ arguments: [Argument], into root: inout Root) throws(UsageError) {
    var words: [Argument] = []
    var used: [[AnyKeyPath]: (option: String, value: Argument?)] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        words += rest
        break
      }
      guard let (name, inlineValue) = argument.optionParts else {
        words.append(argument)
        continue
      }
      guard let option = option(named: name) else {
        if argument.isNegativeNumber {
          words.append(argument)
          continue
        }
        throw unknownOption(name)
      }
      let value = try value(of: option, as: name, inlineValue, from: &rest)
      if !option.repeats {
        let earlier = used.updateValue((option.names[0], value), forKey: option.field)
        if let earlier, earlier != (option.names[0], value) {
          throw earlier.option == option.names[0]
            ? UsageError("“\(name)” is given twice, with different values.", remedy: "Keep one.")
            : UsageError(
              "“\(earlier.option)” and “\(name)” contradict each other.", remedy: "Keep one.")
        }
      }
      switch option.action {
      case .set(let set): set(&root)
      case .read(let read):
        if let value { try apply(read, to: &root, value, of: name) }
      }
    }
    try distribute(words[...], into: &root)
  }

  // MARK: Options

  /// The option that `word` names, alone or with its value.
  func option(in word: Argument) -> Option<Root>? {
    word.optionParts.flatMap { option(named: $0.name) }
  }

  private func option(named name: String) -> Option<Root>? {
    options.first { $0.names.contains(name) }
  }

  /// The value of `option`: what follows its `=`, or the next word unless that is an option itself.
  private func value(
    of option: Option<Root>, as name: String, _ inlineValue: Argument?,
    from rest: inout ArraySlice<Argument>
  ) throws(UsageError) -> Argument? {
    guard let placeholder = option.placeholder else {
      if inlineValue == nil { return nil }
      throw UsageError("“\(name)” takes no value.", remedy: "Write “\(name)” alone.")
    }
    if let inlineValue { return inlineValue }
    guard let next = rest.first else {
      throw UsageError("“\(name)” needs a value.", remedy: "Write “\(name) \(placeholder)”.")
    }
    if next == "--" || self.option(in: next) != nil {
      throw UsageError(
        "“\(name)” needs a value, and “\(next)” follows, which is an option.",
        remedy: "If it is the value, write “\(name)=\(next)”.")
    }
    return rest.removeFirst()
  }

  /// The error for an option that there is not, with the nearest one that there is.
  func unknownOption(_ name: String, remedy: String? = nil) -> UsageError {
    let near = closest(to: name, among: options.flatMap(\.names) + ["--help"])
    return UsageError(
      "“\(command)” has no option “\(printable(name))”.",
      remedy: near.map { "Did you mean “\($0)”?" } ?? remedy ?? "See “\(command) --help”.")
  }

  // MARK: Words

  /// Gives each positional its words: those after the one that takes many keep theirs.
  private func distribute(
    _ words: ArraySlice<Argument>, into root: inout Root
  ) throws(UsageError) {
    var words = words
    for (index, positional) in positionals.enumerated() {
      let later = positionals[(index + 1)...].count { $0.isRequired }
      let count = positional.isRepeated ? max(0, words.count - later) : min(1, words.count)
      if count == 0, positional.isRequired {
        throw UsageError(
          "“\(command)” needs \(positional.isRepeated ? "at least one " : "")\(positional.name).",
          remedy: "\(positional.name): \(positional.help).")
      }
      for word in words.prefix(count) {
        try apply(positional.read, to: &root, word, of: positional.name)
      }
      words = words.dropFirst(count)
    }
    guard let extra = words.first else { return }
    if subcommands.isEmpty {
      throw UsageError(
        "“\(command)” does not know what to do with “\(extra)”.", remedy: "See “\(command) --help”."
      )
    }
    throw unknownCommand(extra, of: command, among: subcommands)
  }

  private func apply(
    _ read: (inout Root, Argument) throws -> Void, to root: inout Root, _ value: Argument,
    of name: String
  ) throws(UsageError) {
    do {
      try read(&root, value)
    } catch let error as InvalidValue {
      throw UsageError(
        "“\(name)” needs \(error.expected), not “\(value)”.", remedy: "See “\(command) --help”.")
    } catch let error as UsageError {
      throw error
    } catch {
      let known = error as? any LocalizedError
      throw UsageError(
        "“\(name)”: \(known?.errorDescription ?? "\(error)")", remedy: known?.recoverySuggestion)
    }
  }
}

/// The error for a word in the place of a command.
func unknownCommand(_ word: Argument, of parent: String, among names: [String]) -> UsageError {
  let near = word.text.flatMap { closest(to: $0, among: names) }
  return UsageError(
    "“\(parent)” has no command “\(word)”.",
    remedy: near.map { "Did you mean “\($0)”?" } ?? "See “\(parent) --help”.")
}

extension Argument {
  /// The name and, after `=`, the value of what looks like an option; nil for `-` and for words.
  var optionParts: (name: String, value: Argument?)? {
    guard bytes.count > 1, bytes[0] == UInt8(ascii: "-") else { return nil }
    let parts = bytes.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    return (
      String(decoding: parts[0], as: UTF8.self),
      parts.count == 2 ? Argument(bytes: Array(parts[1])) : nil
    )
  }

  fileprivate var isNegativeNumber: Bool { text.flatMap(Double.init) != nil }
}

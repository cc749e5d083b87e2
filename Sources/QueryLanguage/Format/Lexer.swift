extension Query {
  /// A piece of a format.
  enum Token: Hashable {
    /// A key, a keyword or the name of a function.
    case word(String)
    /// `#name`: a key, even where `name` is a keyword.
    case key(String)
    case string(String)
    /// A number without its sign; -2⁶³ needs one more than `Int64` has.
    case integer(UInt64)
    case double(Double)
    case variable(String)
    /// `%@`, `%K`, `%d` and their kin, without the length: `%ld` is `d`.
    case placeholder(Character)
    /// `@count` and its kin.
    case aggregate(String)
    case symbol(String)
    case end

    /// As a message quotes it.
    var description: String {
      switch self {
      case .word(let text), .symbol(let text): "“\(text)”"
      case .key(let name): "“#\(name)”"
      case .string: "a string"
      case .integer, .double: "a number"
      case .variable(let name): "“$\(name)”"
      case .placeholder(let conversion): "“%\(conversion)”"
      case .aggregate(let name): "“@\(name)”"
      case .end: "the end"
      }
    }
  }

  /// Cuts a format into tokens.
  struct Lexer {
    // Code points rather than characters: a quote closes a string whatever mark follows it.
    private let characters: [Unicode.Scalar]
    private var index = 0

    init(_ format: String) { characters = Array(format.unicodeScalars) }

    /// The next token and where it begins, in code points from 0.
    mutating func next() throws(FormatError) -> (token: Token, start: Int) {
      while let character = peek(), character.properties.isWhitespace { index += 1 }
      let start = index
      guard let character = peek() else { return (.end, start) }
      let token: Token
      switch character {
      case "\"", "'": token = .string(try string(closedBy: character))
      case "#": token = .key(try name(after: "#", start))
      case "$": token = .variable(try name(after: "$", start))
      case "@": token = .aggregate(try name(after: "@", start))
      case "%": token = try placeholder()
      case _ where character.isDigit: token = try number()
      case "." where peek(1)?.isDigit == true: token = try number()
      case _ where character.isNameStart: token = .word(takeName())
      default: token = try symbol()
      }
      return (token, start)
    }

    /// The problem at a place in code points from 0, which a person counts in characters from 1.
    func error(_ problem: Problem, at start: Int) -> FormatError {
      // Of a mark on a letter, the column is that of the letter.
      let column =
        start < characters.count ? text(characters[...start]).count : text(characters).count + 1
      return FormatError(problem: problem, column: max(1, column))
    }

    private func error(_ sentence: String, at start: Int) -> FormatError {
      error(.syntax(sentence), at: start)
    }

    private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
      index + ahead < characters.count ? characters[index + ahead] : nil
    }

    private func text(_ characters: some Sequence<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: characters)
      return String(text)
    }

    private mutating func takeName() -> String {
      let start = index
      while let character = peek(), character.isNameStart || character.isDigit { index += 1 }
      return text(characters[start..<index])
    }

    private mutating func name(after mark: String, _ start: Int) throws(FormatError) -> String {
      index += 1
      guard peek()?.isNameStart == true else {
        throw error("A name was expected after “\(mark)”.", at: start)
      }
      return takeName()
    }

    private mutating func string(closedBy quote: Unicode.Scalar) throws(FormatError) -> String {
      let start = index
      var text = String.UnicodeScalarView()
      index += 1
      while let character = peek() {
        index += 1
        switch character {
        case quote: return String(text)
        case "\\":
          guard let escaped = peek() else { break }
          index += 1
          switch escaped {
          case "n": text.append("\n")
          case "t": text.append("\t")
          case "r": text.append("\r")
          // An escape that is not known loses its backslash, as in Apple's parser.
          default: text.append(escaped)
          }
        default: text.append(character)
        }
      }
      throw error("The string that begins with \(quote) is not closed.", at: start)
    }

    private mutating func placeholder() throws(FormatError) -> Token {
      let start = index
      index += 1
      let hasLength = !take(while: { "hlqzj".unicodeScalars.contains($0) }).isEmpty
      let conversion = peek()
      if conversion != nil { index += 1 }
      switch conversion {
      case "@" where !hasLength: return .placeholder("@")
      case "K" where !hasLength: return .placeholder("K")
      case "f", "F", "e", "E", "g", "G", "a", "A": return .placeholder("f")
      case "d", "D", "i", "u", "U", "x", "X", "o": return .placeholder("d")
      default:
        let text = text(characters[start..<index])
        throw error("“\(text)” is no placeholder: %@, %K, %d, %ld and %f are.", at: start)
      }
    }

    private mutating func number() throws(FormatError) -> Token {
      let start = index
      if peek() == "0", let radix = peek(1).flatMap({ Self.radixes[$0] }) {
        index += 2
        let digits = take(while: { $0.isNameStart || $0.isDigit })
        guard let value = UInt64(digits, radix: radix) else {
          throw error("“0\(characters[start + 1])\(digits)” is no number of 64 bits.", at: start)
        }
        return .integer(value)
      }
      var text = take(while: \.isDigit)
      var isWhole = true
      if peek() == ".", peek(1)?.isDigit == true {
        isWhole = false
        index += 1
        text += "." + take(while: \.isDigit)
      }
      if peek() == "e" || peek() == "E" {
        let hasSign = peek(1) == "+" || peek(1) == "-"
        if peek(hasSign ? 2 : 1)?.isDigit == true {
          isWhole = false
          text.append("e")
          index += 1
          if hasSign { text += take(while: { "+-".unicodeScalars.contains($0) }) }
          text += take(while: \.isDigit)
        }
      }
      if let character = peek(), character.isNameStart {
        throw error("“\(text)\(character)” is neither a number nor a key.", at: start)
      }
      if isWhole, let value = UInt64(text) { return .integer(value) }
      guard !isWhole, let value = Double(text), value.isFinite else {
        throw error("“\(text)” is too large a number.", at: start)
      }
      return .double(value)
    }

    private static let radixes: [Unicode.Scalar: Int] = [
      "x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2,
    ]

    private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
      let start = index
      while let character = peek(), condition(character) { index += 1 }
      return text(characters[start..<index])
    }

    private mutating func symbol() throws(FormatError) -> Token {
      for symbol in Self.symbols where characters[index...].starts(with: symbol.unicodeScalars) {
        index += symbol.unicodeScalars.count
        return .symbol(symbol)
      }
      if "“”„‘’‚«»".unicodeScalars.contains(characters[index]) {
        throw error("A string stands between straight quotes, \" or '.", at: index)
      }
      throw error("“\(characters[index])” is not part of the language.", at: index)
    }

    /// The longer ones first.
    private static let symbols = [
      "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", "**",
      "=", "<", ">", "!", "+", "-", "*", "/", "(", ")", "{", "}", "[", "]", ",", ".", ":",
    ]
  }
}

extension Unicode.Scalar {
  /// Keys are ASCII: Apple's parser takes no others either.
  fileprivate var isNameStart: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "_": true
    default: false
    }
  }

  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

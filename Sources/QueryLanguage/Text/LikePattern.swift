/// A part of a `LIKE` pattern.
enum LikePart: Sendable, Hashable {
  /// `*`: any run of characters, line breaks included.
  case anyRun
  /// `?`: one character, a code point and the marks on it.
  case anyCharacter
  /// Anything else, folded.
  case text([UInt8])

  /// Splits a pattern; a backslash makes the next character literal.
  static func parse(_ pattern: String, options: Query.TextOptions) -> [LikePart] {
    var parts: [LikePart] = []
    scan(pattern) { literal in
      parts.append(.text(FoldedText(literal, options: options).bytes))
    } wildcard: { wildcard in
      if wildcard != .anyRun || parts.last != .anyRun { parts.append(wildcard) }
    }
    return parts
  }

  /// The stretches of a pattern without wildcards, not folded.
  static func literals(of pattern: String) -> [String] {
    var literals: [String] = []
    scan(pattern) {
      literals.append($0)
    } wildcard: { _ in
    }
    return literals
  }

  private static func scan(
    _ pattern: String, literal take: (String) -> Void, wildcard: (LikePart) -> Void
  ) {
    var literal = String.UnicodeScalarView()
    func flush() {
      if !literal.isEmpty { take(String(literal)) }
      literal = String.UnicodeScalarView()
    }
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "*", "?":
        flush()
        wildcard(scalar == "*" ? .anyRun : .anyCharacter)
      case "\\": literal.append(scalars.next() ?? "\\")
      default: literal.append(scalar)
      }
    }
    flush()
  }

  /// Whether the parts cover all of a folded text.
  ///
  /// Only the last `*` is ever taken up again, so the time is at most that of a search for each part.
  static func match(
    _ parts: [LikePart], _ bytes: UnsafeBufferPointer<UInt8>, _ isInterior: TextMatcher.Interior
  ) -> Bool {
    func next(after offset: Int) -> Int {
      var offset = offset + 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 || isInterior(offset) {
        offset += 1
      }
      return offset
    }
    func end(of part: LikePart, at offset: Int) -> Int? {
      switch part {
      case .anyRun: return offset
      case .anyCharacter: return offset < bytes.count ? next(after: offset) : nil
      case .text(let text):
        let end = offset + text.count
        guard end <= bytes.count, !isInterior(end),
          bytes[offset..<end].elementsEqual(text)
        else { return nil }
        return end
      }
    }
    var part = 0
    var offset = 0
    var resume: (part: Int, offset: Int)?
    while true {
      if part < parts.count, let end = end(of: parts[part], at: offset) {
        if parts[part] == .anyRun { resume = (part + 1, offset) }
        part += 1
        offset = end
      } else if part == parts.count, offset == bytes.count {
        return true
      } else if let (after, from) = resume, from < bytes.count {
        resume = (after, next(after: from))
        part = after
        offset = next(after: from)
      } else {
        return false
      }
    }
  }
}

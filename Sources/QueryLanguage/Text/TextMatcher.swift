internal import Glibc

/// A string operator with its right side, made ready to be asked of many texts.
///
/// A match begins and ends where a character of the text does: `e` is not in a decomposed `é`, nor
/// `s` in an `ß` under `[c]`, though `ss` is.
package struct TextMatcher: Sendable {
  private let options: Query.TextOptions
  private let test: Test

  private enum Test: Sendable {
    case equal(FoldedText)
    case contains(FoldedText)
    case beginsWith(FoldedText)
    case endsWith(FoldedText)
    case like([LikePart])
    case matches(RegularExpression)
  }

  /// - Parameter pattern: The right side. An empty one is found in nothing.
  /// - Throws: `.badRegularExpression`.
  package init(
    _ operator: Query.Operator, _ pattern: String, options: Query.TextOptions
  ) throws(Query.Problem) {
    self.options = options
    switch `operator` {
    case .contains: test = .contains(FoldedText(pattern, options: options))
    case .beginsWith: test = .beginsWith(FoldedText(pattern, options: options))
    case .endsWith: test = .endsWith(FoldedText(pattern, options: options))
    case .like: test = .like(LikePart.parse(pattern, options: options))
    case .matches: test = .matches(try RegularExpression(pattern, options: options))
    default: test = .equal(FoldedText(pattern, options: options))
    }
  }

  /// Whether the operator holds for the text.
  ///
  /// - Throws: `.slowRegularExpression`.
  package func matches(_ text: String) throws(Query.Problem) -> Bool {
    var text = text
    return try text.withUTF8 { utf8 in Result { () throws(Query.Problem) in try matches(utf8) } }
      .get()
  }

  /// Whether the operator holds for the text, which is in UTF-8.
  ///
  /// - Throws: `.slowRegularExpression`.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) throws(Query.Problem) -> Bool {
    if case .matches(let expression) = test { return try expression.matches(text) }
    return withFolded(text) { bytes, interior in
      switch test {
      case .equal(let pattern): bytes.elementsEqual(pattern.bytes)
      case .contains(let needle): find(needle, in: bytes, interior)
      case .beginsWith(let needle):
        bytes.starts(with: needle.bytes) && !needle.bytes.isEmpty
          && !interior.contains(needle.bytes.count)
      case .endsWith(let needle):
        bytes.suffix(needle.bytes.count).elementsEqual(needle.bytes) && !needle.bytes.isEmpty
          && (!interior.contains(bytes.count - needle.bytes.count) || needle.beginsInsideCharacter)
      case .like(let parts): LikePart.match(parts, bytes, interior)
      case .matches: false
      }
    }
  }

  /// Folds the text unless it is ASCII, where lower case is all there is to it.
  private func withFolded(
    _ text: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, _ interior: [Int]) -> Bool
  ) -> Bool {
    guard text.allSatisfy({ $0 < 0x80 }) else {
      let folded = FoldedText(text, options: options)
      return folded.bytes.withUnsafeBufferPointer { body($0, folded.interior) }
    }
    guard options.contains(.caseInsensitive) else { return body(text, []) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { lowercased in
      for index in text.indices { lowercased[index] = text[index].lowercasedASCII }
      return body(UnsafeBufferPointer(lowercased), [])
    }
  }

  private func find(
    _ needle: FoldedText, in bytes: UnsafeBufferPointer<UInt8>, _ interior: [Int]
  ) -> Bool {
    // By its last byte: the first one of all kana is the same.
    guard let start = bytes.baseAddress, let last = needle.bytes.last else { return false }
    let count = needle.bytes.count
    var end = count - 1
    while end < bytes.count,
      let found = memchr(start + end, Int32(last), bytes.count - end)
    {
      end = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
      let position = end - count
      if memcmp(start + position, needle.bytes, count) == 0,
        interior.isEmpty
          || !interior.contains(end)
            && (needle.beginsInsideCharacter || !interior.contains(position))
      {
        return true
      }
    }
    return false
  }
}

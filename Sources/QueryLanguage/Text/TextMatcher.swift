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

  /// Makes the right side ready; an empty one is found in nothing.
  ///
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
    return withFolded(text) { bytes, isInterior in
      switch test {
      case .equal(let pattern): bytes.elementsEqual(pattern.bytes)
      case .contains(let needle): find(needle, in: bytes, isInterior)
      case .beginsWith(let needle): find(needle, at: 0, in: bytes, isInterior)
      case .endsWith(let needle):
        find(needle, at: bytes.count - needle.bytes.count, in: bytes, isInterior)
      case .like(let parts): LikePart.match(parts, bytes, isInterior)
      case .matches: false
      }
    }
  }

  /// Whether an offset of a text lies inside a character.
  typealias Interior = (Int) -> Bool

  /// Folds the text unless it is as stored or ASCII, where lower case is all there is to it.
  private func withFolded(
    _ text: UnsafeBufferPointer<UInt8>,
    _ body: (UnsafeBufferPointer<UInt8>, _ isInterior: Interior) -> Bool
  ) -> Bool {
    if options.isEmpty {
      return body(text) { offset in
        guard offset < text.count, text[offset] >= 0xCC else { return false }  // Marks: U+0300 on.
        var index = offset
        let scalar = decodeUTF8(text, &index)
        if case .single = FoldTable.under([]).fold(scalar) { return false }
        return true
      }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { lowercased in
      let isCaseInsensitive = options.contains(.caseInsensitive)
      var union: UInt8 = 0
      for index in text.indices {
        let byte = text[index]
        union |= byte
        lowercased[index] = isCaseInsensitive ? byte.lowercasedASCII : byte
      }
      if union < 0x80 { return body(UnsafeBufferPointer(lowercased)) { _ in false } }
      return FoldedText.withFolding(text, options) { bytes, interior in
        body(bytes) { offset in interior.contains(offset) }
      }
    }
  }

  private func find(
    _ needle: FoldedText, in bytes: UnsafeBufferPointer<UInt8>, _ isInterior: Interior
  ) -> Bool {
    // By its last byte: the first one of all kana is the same.
    guard let start = bytes.baseAddress, let last = needle.bytes.last else { return false }
    var end = needle.bytes.count - 1
    while end < bytes.count, let found = memchr(start + end, Int32(last), bytes.count - end) {
      end = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
      if find(needle, at: end - needle.bytes.count, in: bytes, isInterior) { return true }
    }
    return false
  }

  private func find(
    _ needle: FoldedText, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>,
    _ isInterior: Interior
  ) -> Bool {
    let count = needle.bytes.count
    guard count > 0, offset >= 0, offset + count <= bytes.count, let start = bytes.baseAddress,
      start[offset] == needle.bytes[0], memcmp(start + offset, needle.bytes, count) == 0
    else { return false }
    return !isInterior(offset + count) && (needle.beginsInsideCharacter || !isInterior(offset))
  }
}

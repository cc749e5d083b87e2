import Synchronization
internal import _FoundationICU

/// An ICU regular expression over a whole text, as `MATCHES` asks for it.
///
/// `.` crosses line breaks and `^` and `$` match at each line, as in Cocoa.
final class RegularExpression: Sendable {
  // Matching moves a state inside ICU's object, so one match at a time, under the lock.
  nonisolated(unsafe) private let handle: OpaquePointer
  private let lock = Mutex(())
  private let options: Query.TextOptions

  /// What a match may spend, in ICU's steps: about 0.1 s here, which no sane expression needs for
  /// one note; `(a+)+b` over 36 letters a would take hours.
  private static let timeLimit: Int32 = 400

  /// - Throws: `.badRegularExpression`.
  init(_ pattern: String, options: Query.TextOptions) throws(Query.Problem) {
    self.options = options
    let pattern = Self.comparable(pattern, options)
    var units = Array(pattern.utf16)
    if units.isEmpty { units = Array("(?:)".utf16) }  // ICU refuses the empty expression.
    var flags = UREGEX_DOTALL.rawValue | UREGEX_MULTILINE.rawValue
    if options.contains(.caseInsensitive) { flags |= UREGEX_CASE_INSENSITIVE.rawValue }
    var status = U_ZERO_ERROR
    var location = UParseError()
    let opened = swift_uregex_open(units, Int32(units.count), flags, &location, &status)
    swift_uregex_setTimeLimit(opened, Self.timeLimit, &status)
    guard let opened, status.rawValue <= U_ZERO_ERROR.rawValue else {
      throw .badRegularExpression(pattern)
    }
    handle = opened
  }

  deinit { swift_uregex_close(handle) }

  /// Whether the expression matches all of the text.
  ///
  /// - Throws: `.slowRegularExpression` when a match would take too long or too much memory.
  func matches(_ text: UnsafeBufferPointer<UInt8>) throws(Query.Problem) -> Bool {
    if options.contains(.diacriticInsensitive), text.contains(where: { $0 >= 0x80 }) {
      var plain = Self.comparable(String(decoding: text, as: UTF8.self), options)
      let outcome = plain.withUTF8 { utf8 in run(utf8) }
      return try outcome.get()
    }
    return try run(text).get()
  }

  private func run(_ text: UnsafeBufferPointer<UInt8>) -> Result<Bool, Query.Problem> {
    // A text without bytes may come without an address, which ICU takes for an error.
    guard !text.isEmpty else { return [0].withUnsafeBufferPointer { run($0, count: 0) } }
    return run(text, count: text.count)
  }

  private func run(
    _ text: UnsafeBufferPointer<UInt8>, count: Int
  ) -> Result<Bool, Query.Problem> {
    text.withMemoryRebound(to: CChar.self) { characters in
      lock.withLock { _ in
        var status = U_ZERO_ERROR
        let view = swift_utext_openUTF8(nil, characters.baseAddress, Int64(count), &status)
        defer { swift_utext_close(view) }
        swift_uregex_setUText(handle, view, &status)
        let matched = swift_uregex_matches64(handle, 0, &status)
        return status.rawValue <= U_ZERO_ERROR.rawValue
          ? .success(matched != 0) : .failure(.slowRegularExpression)
      }
    }
  }

  /// Under `[d]` both sides lose their accents, and stay composed so that `[が-ご]` is a range.
  private static func comparable(_ text: String, _ options: Query.TextOptions) -> String {
    guard options.contains(.diacriticInsensitive) else { return text }
    return UnicodeData.composed(Query.Folding.compared(text, options: .diacriticInsensitive))
  }
}

internal import _FoundationICU

// The ICU that the toolchain ships with Foundation, under the names that its library exports.
// Linked by itself, a program starts in 9 ms; through all of Foundation, in 13 ms. Beyond
// `NSRegularExpression` it bounds a match in time, tells an error from no match, and reads UTF-8.

/// What comparing text needs to know about characters.
enum UnicodeData {
  /// How a code point takes part in a comparison.
  enum Kind: UInt8 {
    /// Stands for itself, whatever the options.
    case plain
    /// Never begins a character: a combining mark, a conjoining vowel or final consonant of Hangul.
    case extender
    /// Has a decomposition, or another form under case folding.
    case special
  }

  /// The kind of a code point.
  static func kind(_ scalar: UInt32) -> Kind {
    switch scalar {
    case ..<0x3100: kindsBelow3100[Int(scalar)]
    // Ideographs and the syllables of Yi: 90 % of Chinese text. They have neither case nor marks.
    case 0x3100..<0xA490, 0x20000..<0x2F800: .plain
    case 0xAC00..<0xD7A4: .special
    default: lookUpKind(scalar)
    }
  }

  /// Made once, in 1.6 ms, when the first text beyond ASCII is compared.
  private static let kindsBelow3100 = (0..<UInt32(0x3100)).map(lookUpKind)

  private static func lookUpKind(_ scalar: UInt32) -> Kind {
    if isExtender(scalar) { return .extender }
    return decomposition(of: scalar) == nil && caseFolded(scalar) == [scalar] ? .plain : .special
  }

  private static func isExtender(_ scalar: UInt32) -> Bool {
    // What may compose with the character before it, and what ICU's normalizer is silent about:
    // vowel signs and variation selectors, which are nonspacing without a combining class.
    isNonspacing(scalar) || swift_unorm2_hasBoundaryBefore(nfc, Int32(scalar)) == 0
  }

  /// Whether the code point is a nonspacing or an enclosing mark.
  static func isNonspacing(_ scalar: UInt32) -> Bool {
    let category = UInt32(bitPattern: Int32(swift_u_charType(Int32(scalar))))
    return category == U_NON_SPACING_MARK.rawValue || category == U_ENCLOSING_MARK.rawValue
  }

  /// The place of a mark in canonical order; 0 for what does not move.
  static func combiningClass(_ scalar: UInt32) -> UInt8 {
    swift_unorm2_getCombiningClass(nfd, Int32(scalar))
  }

  /// The full canonical decomposition; nil where the code point is its own.
  static func decomposition(of scalar: UInt32) -> [UInt32]? {
    var status = U_ZERO_ERROR
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 32) { buffer in
      let count = swift_unorm2_getDecomposition(
        nfd, Int32(scalar), buffer.baseAddress, Int32(buffer.count), &status)
      return count < 0 ? nil : scalars(UnsafeBufferPointer(rebasing: buffer[..<Int(count)]))
    }
  }

  /// The full case folding: of `ß`, two code points.
  static func caseFolded(_ scalar: UInt32) -> [UInt32] {
    guard let character = Unicode.Scalar(scalar) else { return [scalar] }
    let source = Array(String(character).utf16)
    var status = U_ZERO_ERROR
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 16) { buffer in
      let count = swift_u_strFoldCase(
        buffer.baseAddress, Int32(buffer.count), source, Int32(source.count), 0, &status)
      return scalars(UnsafeBufferPointer(rebasing: buffer[..<Int(count)]))
    }
  }

  /// The text in canonical decomposition, its marks in canonical order.
  static func decomposed(_ text: String) -> String { normalized(text, by: nfd) }

  /// The text in canonical composition.
  static func composed(_ text: String) -> String { normalized(text, by: nfc) }

  private static func normalized(_ text: String, by normalizer: OpaquePointer?) -> String {
    let source = Array(text.utf16)
    var status = U_ZERO_ERROR
    let capacity = source.count * 4 + 16  // Decomposition gives at most four units for one.
    let units = [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = Int(
        swift_unorm2_normalize(
          normalizer, source, Int32(source.count), buffer.baseAddress, Int32(capacity), &status))
    }
    precondition(status.rawValue <= U_ZERO_ERROR.rawValue, "text that cannot be normalized")
    return String(decoding: units, as: UTF16.self)
  }

  private static func scalars(_ units: UnsafeBufferPointer<UInt16>) -> [UInt32] {
    String(decoding: units, as: UTF16.self).unicodeScalars.map(\.value)
  }

  // Immutable after ICU made them, and its own to free.
  nonisolated(unsafe) private static let nfd = instance(swift_unorm2_getNFDInstance)
  nonisolated(unsafe) private static let nfc = instance(swift_unorm2_getNFCInstance)

  private static func instance(
    _ make: (UnsafeMutablePointer<UErrorCode>) -> OpaquePointer?
  ) -> OpaquePointer? {
    var status = U_ZERO_ERROR
    return make(&status)
  }
}

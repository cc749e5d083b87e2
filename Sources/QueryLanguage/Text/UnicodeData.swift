internal import _FoundationICU

// The ICU that the toolchain ships with Foundation, under the names that its library exports.
// A program that links it starts in 10.6 ms, one that links all of Foundation in 14.6. Beyond
// `NSRegularExpression` it bounds a match in time, tells an error from no match, and reads UTF-8.

/// What comparing text needs to know about characters.
enum UnicodeData {
  /// Whether the code point never begins a character: a mark, or a conjoining jamo of Hangul.
  static func isExtender(_ scalar: UInt32) -> Bool {
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

  /// The full canonical decomposition; of most code points, themselves.
  static func decomposition(of scalar: UInt32) -> [UInt32] {
    var status = U_ZERO_ERROR
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 32) { buffer in
      let count = swift_unorm2_getDecomposition(
        nfd, Int32(scalar), buffer.baseAddress, Int32(buffer.count), &status)
      return count < 0 ? [scalar] : scalars(UnsafeBufferPointer(rebasing: buffer[..<Int(count)]))
    }
  }

  /// The full case folding: of `ß`, two code points.
  static func caseFolded(_ scalar: UInt32) -> [UInt32] {
    if swift_u_hasBinaryProperty(Int32(scalar), UCHAR_CHANGES_WHEN_CASEFOLDED) == 0 {
      return [scalar]
    }
    let source = Array(String(Character(Unicode.Scalar(scalar) ?? "?")).utf16)
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

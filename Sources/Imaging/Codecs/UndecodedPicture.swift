/// What the first bytes tell of a picture that this build can't decode.
package struct UndecodedPicture: Sendable, Equatable {
  /// A short word for its kind, in lowercase: `heic`, `tiff`.
  package let format: String
  /// Pixels as a person sees them, where that is easy to tell.
  package let uprightSize: PixelSize?

  /// Nil where the bytes are no picture's.
  package init?(_ source: ByteSource) {
    let start = source.peek(ImageSignature.length)
    switch ImageSignature(start) {
    case .known(let known):
      format = known.rawValue
      uprightSize = known == .webp ? Self.sizeOfWebP([UInt8](start)) : nil
    case .other(_, let other): (format, uprightSize) = (other, nil)
    case .none: return nil
    }
  }

  /// The size that the first chunk gives (RFC 9649, §2.5 to 2.7); nil where EXIF data, which stands
  /// at the end, may turn the picture.
  private static func sizeOfWebP(_ file: [UInt8]) -> PixelSize? {
    guard file.count >= 30 else { return nil }
    func number(at start: Int, bytes: Int) -> Int {
      (0..<bytes).reduce(0) { $0 | Int(file[start + $1]) << (8 * $1) }
    }
    switch String(decoding: file[12..<16], as: UTF8.self) {
    case "VP8 " where file[23..<26].elementsEqual([0x9D, 0x01, 0x2A]):
      return PixelSize(
        width: number(at: 26, bytes: 2) & 0x3FFF, height: number(at: 28, bytes: 2) & 0x3FFF)
    case "VP8L" where file[20] == 0x2F:
      let bits = number(at: 21, bytes: 4)
      return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
    case "VP8X" where file[20] & 0x08 == 0:
      return PixelSize(
        width: number(at: 24, bytes: 3) + 1, height: number(at: 27, bytes: 3) + 1)
    default: return nil
    }
  }
}

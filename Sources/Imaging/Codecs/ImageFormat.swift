/// A kind of picture file that is read, by this build or by one with the trait for it.
package enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  case jpeg, png, heic, avif, webp

  /// Whether this build reads it.
  package var isReadable: Bool {
    switch self {
    case .jpeg, .png: return true
    case .heic, .avif:
      #if HEIF
        return true
      #else
        return false
      #endif
    case .webp:
      #if WebP
        return true
      #else
        return false
      #endif
    }
  }

  /// As people write it.
  var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}

/// What a file is, by its first bytes, whatever its name.
enum ImageSignature: Equatable {
  case known(ImageFormat)
  /// A picture, but of a kind that no build reads; `format` is a short word for it, in lowercase.
  case other(name: String, format: String)
  case none

  /// How many bytes from the start of a file decide.
  static let length = 64

  init(_ bytes: ArraySlice<UInt8>) {
    func starts(_ text: StaticString, at offset: Int = 0) -> Bool {
      text.withUTF8Buffer { bytes.dropFirst(offset).starts(with: $0) }
    }
    func starts(bytes prefix: UInt8...) -> Bool { bytes.starts(with: prefix) }

    if starts(bytes: 0xFF, 0xD8, 0xFF) {
      self = .known(.jpeg)
    } else if starts(bytes: 0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A) {
      self =
        starts("CgBI", at: 12) ? .other(name: "iPhone-optimised PNG", format: "png") : .known(.png)
    } else if starts("ftyp", at: 4) {
      // ISO base media: the major brand, and the compatible ones, say what is in the box.
      let brands = stride(from: 8, to: ImageSignature.length - 3, by: 4).filter { $0 != 12 }
      func hasBrand(_ names: [StaticString]) -> Bool {
        names.contains { name in brands.contains { starts(name, at: $0) } }
      }
      if hasBrand(["avif", "avis"]) {
        self = .known(.avif)
      } else if hasBrand(["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]) {
        self = .known(.heic)
      } else if hasBrand(["crx "]) {
        self = .other(name: "CR3 raw", format: "cr3")
      } else {
        self = .none
      }
    } else if starts("RIFF"), starts("WEBP", at: 8) {
      self = .known(.webp)
    } else if starts("GIF87a") || starts("GIF89a") {
      self = .other(name: "GIF", format: "gif")
    } else if starts(bytes: 0x49, 0x49, 0x2A, 0) || starts(bytes: 0x4D, 0x4D, 0, 0x2A)
      || starts(bytes: 0x49, 0x49, 0x2B, 0) || starts(bytes: 0x4D, 0x4D, 0, 0x2B)
    {
      self = .other(name: "TIFF", format: "tiff")  // And most raw formats of cameras.
    } else if starts("FUJIFILM") {
      self = .other(name: "RAF raw", format: "raf")
    } else if starts("BM"), bytes.count >= 26, Self.isBitmapHeader(bytes) {
      self = .other(name: "BMP", format: "bmp")
    } else if starts(bytes: 0xFF, 0x0A)
      || starts(bytes: 0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A)
    {
      self = .other(name: "JPEG XL", format: "jxl")
    } else if starts(bytes: 0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A)
      || starts(bytes: 0xFF, 0x4F, 0xFF, 0x51)
    {
      self = .other(name: "JPEG 2000", format: "jp2")
    } else if starts("8BPS") {
      self = .other(name: "PSD", format: "psd")
    } else {
      self = Self.isSVG(bytes) ? .other(name: "SVG", format: "svg") : .none
    }
  }

  /// Two letters are not enough: the length of the second header is one of a few.
  private static func isBitmapHeader(_ bytes: ArraySlice<UInt8>) -> Bool {
    let length = Int(bytes[bytes.startIndex + 14]) | Int(bytes[bytes.startIndex + 15]) << 8
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(length)
  }

  private static func isSVG(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("<svg") || text.contains("<!DOCTYPE svg")
  }
}

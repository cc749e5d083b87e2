import CImageCodecs

/// What a picture's samples mean as colours, and what its thumbnail has to say of that.
struct PictureColour {
  /// A profile that can't be converted from, and therefore goes with the unconverted thumbnail.
  var carriedProfile: [UInt8]?

  init(_ properties: ImageProperties) {
    carriedProfile = nil
  }

  init(_ properties: ImageProperties, header: codec_png_header) {
    self.init(properties)
  }

  /// How samples of that many bits become light.
  func light(bits: Int) -> LinearLight { .sRGB(bits: bits) }
}

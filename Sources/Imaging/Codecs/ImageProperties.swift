/// What a picture's header says of it.
package struct ImageProperties: Sendable, Equatable {
  /// How much of a picture has to be in memory to decode it.
  package enum Decoding: Sendable, Hashable {
    /// A few rows at a time.
    case rows
    /// All of it: an interlaced PNG, a JPEG in several scans.
    case wholePicture
  }

  /// By the first bytes of the file.
  package let format: ImageFormat
  /// Pixels as in the file.
  package let storedSize: PixelSize
  /// Samples a pixel, as stored; a palette counts as 1.
  package let channels: Int
  /// Bits a sample, as stored.
  package let bitsPerSample: Int
  /// Whether the file can hold transparent pixels: by a channel, or by a transparent colour.
  package let hasAlpha: Bool
  /// Whether it is decoded in rows.
  package let decoding: Decoding
  /// What the camera wrote; nil where there is no readable EXIF block.
  package var exif: EXIF?
  /// The embedded ICC profile, unchecked.
  package var profile: [UInt8]?

  /// How the stored pixels have to be turned to stand upright: EXIF 1 to 8, 1 where nothing is said.
  ///
  /// The containers of HEIC and AVIF say it themselves, their decoder does as they say, and what
  /// EXIF says may be the same turn once more.
  package var orientation: Int {
    format == .heic || format == .avif ? 1 : exif?.orientation ?? 1
  }
  /// Pixels as a person sees them.
  package var uprightSize: PixelSize { storedSize.upright(orientation: orientation) }
}

extension ImageProperties {
  /// Reads the header of a picture, and what it takes to find its EXIF data: for a PNG that has none
  /// before its image data, this is the whole file, unpacked nowhere.
  ///
  /// - Throws: What `Thumbnail.make` throws for the same bytes, as far as the header tells.
  package static func probe(
    _ source: ByteSource, limits: DecodeLimits = DecodeLimits()
  ) throws(ImageError) -> ImageProperties {
    do {
      let format = try ImageFormat(source)
      switch format {
      case .jpeg: return try JPEGReader(source, limits: limits).properties
      case .png:
        let reader = try PNGReader(source, limits: limits)
        return reader.properties.exif == nil ? reader.propertiesWithLateEXIF() : reader.properties
      case .heic, .avif, .webp:
        return try StillReader(source, format: format, limits: limits).properties
      }
    } catch {
      throw source.failure.map { .unreadable($0) } ?? error
    }
  }
}

extension ImageFormat {
  /// The format of the bytes that come next.
  package init(_ source: ByteSource) throws(ImageError) {
    let start = source.peek(ImageSignature.length)
    switch ImageSignature(start) {
    case .known(let format):
      guard format.isReadable else { throw .unsupported(kind: format.name) }
      self = format
    case .other(let name, _): throw .unsupported(kind: name)
    case .none: throw start.isEmpty ? .empty : .notAnImage
    }
  }
}

import CImageCodecs

/// A PNG whose header is read.
struct PNGReader: PictureReader, ~Copyable {
  static let isScalable = false

  let properties: ImageProperties
  let color: ColorProfile
  private let handle: PNGHandle
  private var layout = RowLayout(width: 0, height: 0, channels: 0, bits: 8)
  private var rowsLeft = 0

  init(_ source: ByteSource, limits: DecodeLimits) throws(ImageError) {
    // libpng's own limit on sizes says nothing of the size that it refused.
    let claimed = Self.claimedSize(source.peek(ImageSignature.length))
    guard claimed.area <= limits.pixelLimit else {
      throw .tooLarge(claimed, limit: limits.pixelLimit)
    }
    let handle = try PNGHandle(source, limits: limits)
    var header = codec_png_header()
    try handle.check(codec_png_read_header(handle.reader, &header))
    let size = PixelSize(width: Int(header.width), height: Int(header.height))
    let limit = header.is_interlaced ? limits.wholePicturePixelLimit : limits.pixelLimit
    guard size.area <= limit else { throw .tooLarge(size, limit: limit) }
    properties = ImageProperties(
      format: .png, storedSize: size, channels: Int(header.channels),
      bitsPerSample: Int(header.bits), hasAlpha: header.has_alpha,
      decoding: header.is_interlaced ? .wholePicture : .rows,
      exif: EXIF(codec_png_exif(handle.reader)), profile: [UInt8](codec_png_profile(handle.reader)))
    let png = PNGColor(header, profile: properties.profile)
    color = ColorProfile(png: png, channelCount: header.is_colour ? 3 : 1)
    self.handle = handle
  }

  /// What the first chunk says, at its place in every PNG.
  private static func claimedSize(_ start: ArraySlice<UInt8>) -> PixelSize {
    func side(at offset: Int) -> Int {
      start.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    return PixelSize(width: side(at: 16) & 0x7FFF_FFFF, height: side(at: 20) & 0x7FFF_FFFF)
  }

  /// Reads on to the end of the file for the EXIF data; rows can't be had after that.
  consuming func propertiesWithLateEXIF() -> ImageProperties {
    codec_png_find_exif(handle.reader)
    var properties = self.properties
    properties.exif = EXIF(codec_png_exif(handle.reader))
    return properties
  }

  mutating func start(denominator: Int, reduction: Double) throws(ImageError) -> RowLayout {
    precondition(denominator == 1)
    var channels: Int32 = 0
    var bits: Int32 = 0
    try handle.check(codec_png_start(handle.reader, &channels, &bits))
    layout = RowLayout(
      width: properties.storedSize.width, height: properties.storedSize.height,
      channels: Int(channels), bits: Int(bits))
    rowsLeft = layout.height
    return layout
  }

  mutating func readRows(into rows: inout [UInt8]) throws(ImageError) -> Int {
    var count = Int32(clamping: min(rowsLeft, rows.count / layout.rowByteCount))
    let status = codec_png_read_rows(handle.reader, &rows, &count)
    if count == 0 { try handle.check(status) }
    rowsLeft = status == .ok ? rowsLeft - Int(count) : 0
    return Int(count)
  }

  mutating func finish() -> (verdict: DecodeVerdict, lateEXIF: EXIF?) {
    let isComplete = codec_png_finish(handle.reader)
    let verdict = DecodeVerdict(
      isDamaged: codec_png_is_damaged(handle.reader),
      hasWarned: !isComplete || codec_png_has_warned(handle.reader),
      hasEnded: codec_png_has_ended(handle.reader))
    return (verdict, properties.exif == nil ? EXIF(codec_png_exif(handle.reader)) : nil)
  }
}

/// The C reader and the source that it pulls from, which have to live equally long.
private final class PNGHandle {
  let reader: OpaquePointer
  private let source: ByteSource
  private let limits: DecodeLimits

  init(_ source: ByteSource, limits: DecodeLimits) throws(ImageError) {
    guard let reader = codec_png_reader_create(source.pulled, limits.codecLimits) else {
      throw .outOfMemory
    }
    self.reader = reader
    self.source = source
    self.limits = limits
  }

  deinit { codec_png_reader_free(reader) }

  func check(_ status: codec_status) throws(ImageError) {
    // The only limit of libpng's that can be met is one that its caller has checked before.
    try limits.check(
      status, message: codec_png_message(reader), size: PixelSize(width: 0, height: 0))
  }
}

extension PNGColor {
  init(_ header: codec_png_header, profile: [UInt8]?) {
    self.init()
    self.profile = profile
    isSRGB = header.has_srgb
    if header.has_gamma { gamma = UInt32(header.gamma) }
    if header.has_cicp {
      let (primaries, transfer, matrix, fullRange) = header.cicp
      codePoints = CodingIndependentCodePoints(
        primaries: primaries, transfer: transfer, matrix: matrix, fullRange: fullRange)
    }
    if header.has_primaries {
      let (whiteX, whiteY, redX, redY, greenX, greenY, blueX, blueY) = header.primaries
      primaries = Primaries(
        red: [redX, redY], green: [greenX, greenY], blue: [blueX, blueY], white: [whiteX, whiteY])
    }
  }
}

import CImageCodecs

/// A HEIC, AVIF or WebP picture whose header is read; there are none in a build without the traits.
struct StillReader: PictureReader, ~Copyable {
  static let isScalable = false

  let properties: ImageProperties
  let color: ColorProfile
  private let handle: StillHandle
  private var layout = RowLayout(width: 0, height: 0, channels: 0, bits: 8)

  init(_ source: ByteSource, format: ImageFormat, limits: DecodeLimits) throws(ImageError) {
    let handle = try StillHandle(source, format: format, limits: limits)
    var header = codec_still_header()
    try handle.check(codec_still_read_header(handle.reader, &header))
    let size = PixelSize(width: Int(header.width), height: Int(header.height))
    let limit = limits.wholePicturePixelLimit
    guard size.area <= limit else { throw .tooLarge(size, limit: limit) }
    let profile = [UInt8](codec_still_profile(handle.reader))
    properties = ImageProperties(
      format: format, storedSize: size, channels: header.has_alpha ? 4 : 3,
      bitsPerSample: Int(header.bits), hasAlpha: header.has_alpha, decoding: .wholePicture,
      exif: EXIF(codec_still_exif(handle.reader)), profile: profile)
    color = ColorProfile(header, profile: profile)
    self.handle = handle
  }

  mutating func start(denominator: Int, reduction: Double) throws(ImageError) -> RowLayout {
    precondition(denominator == 1)
    var channels: Int32 = 0
    var bits: Int32 = 0
    try handle.check(codec_still_start(handle.reader, &channels, &bits))
    layout = RowLayout(
      width: properties.storedSize.width, height: properties.storedSize.height,
      channels: Int(channels), bits: Int(bits))
    return layout
  }

  mutating func readRows(into rows: inout [UInt8]) throws(ImageError) -> Int {
    var count = Int32(clamping: rows.count / layout.rowByteCount)
    let status = codec_still_read_rows(handle.reader, &rows, &count)
    if count == 0 { try handle.check(status) }
    return Int(count)
  }

  mutating func finish() -> (verdict: DecodeVerdict, lateEXIF: EXIF?) {
    let verdict = DecodeVerdict(
      hasWarned: codec_still_has_warned(handle.reader),
      hasEnded: codec_still_has_ended(handle.reader))
    return (verdict, nil)
  }
}

/// The C reader and the source that it pulls from, which have to live equally long.
private final class StillHandle {
  let reader: OpaquePointer
  private let source: ByteSource
  private let limits: DecodeLimits

  init(_ source: ByteSource, format: ImageFormat, limits: DecodeLimits) throws(ImageError) {
    guard let reader = try Self.create(source, format, limits.codecLimits) else {
      throw .outOfMemory
    }
    self.reader = reader
    self.source = source
    self.limits = limits
  }

  private static func create(
    _ source: ByteSource, _ format: ImageFormat, _ limits: codec_limits
  ) throws(ImageError) -> OpaquePointer? {
    switch format {
    #if HEIF
      case .heic, .avif: return codec_heif_reader_create(source.pulled, limits)
    #endif
    #if WebP
      case .webp: return codec_webp_reader_create(source.pulled, limits)
    #endif
    default: throw .unsupported(kind: format.name)
    }
  }

  deinit { codec_still_reader_free(reader) }

  func check(_ status: codec_status) throws(ImageError) {
    try limits.check(
      status, message: codec_still_message(reader), size: PixelSize(width: 0, height: 0))
  }
}

extension ColorProfile {
  /// An ICC profile counts before the code points of the container.
  fileprivate init(_ header: codec_still_header, profile: [UInt8]?) {
    var chunks = PNGColor()
    chunks.profile = profile
    if profile == nil, header.has_code_points {
      let (primaries, transfer) = header.code_points
      // Encoders write BT.709's curve, and its relatives', where they mean that of screens, and
      // viewers take it for that. The pixels come as RGB of full range.
      let isVideo = [1, 6, 14, 15].contains(transfer)
      chunks.codePoints = PNGColor.CodingIndependentCodePoints(
        primaries: primaries, transfer: isVideo ? 13 : transfer, matrix: 0, fullRange: 1)
    }
    self.init(png: chunks, channelCount: 3)
  }
}

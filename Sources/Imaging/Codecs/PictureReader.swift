/// A picture whose header is read, and whose rows are yet to come.
protocol PictureReader: ~Copyable {
  var properties: ImageProperties { get }

  /// What the samples of the rows mean, alpha aside.
  var color: ColorProfile { get }

  /// Whether it can be delivered at 1/2, 1/4 and 1/8 of its stored size, for less work.
  static var isScalable: Bool { get }

  /// Gets ready to deliver rows, at 1/`denominator` of the stored size, rounded up.
  ///
  /// - Parameters:
  ///   - denominator: 1, 2, 4 or 8; 1 if the reader is not scalable.
  ///   - reduction: How many times smaller the picture will be made from there.
  /// - Returns: What the rows are like.
  /// - Throws: Where there will be no row.
  mutating func start(denominator: Int, reduction: Double) throws(ImageError) -> RowLayout

  /// Overwrites `rows` with the next ones, as many as it has room for, and returns how many; 0 after
  /// the last.
  ///
  /// - Throws: Where the picture is broken or cut. There are no further rows then.
  mutating func readRows(into rows: inout [UInt8]) throws(ImageError) -> Int

  /// To be called after the last row: EXIF data may stand at the end of a file.
  mutating func finish() -> (verdict: DecodeVerdict, lateEXIF: EXIF?)
}

/// The rows that a reader delivers: without padding, top row first.
struct RowLayout {
  var width: Int
  var height: Int
  /// Grey, RGB or RGBA (not premultiplied).
  var channels: Int
  /// 8, or 16 in the machine's byte order.
  var bits: Int

  var rowByteCount: Int { width * channels * bits / 8 }
}

/// How a decoder did, apart from rows that it could not read at all.
struct DecodeVerdict {
  /// Some of the rows are not what was stored.
  var isDamaged = false
  /// The decoder complained of something.
  var hasWarned = false
  /// The input ended early.
  var hasEnded = false
}

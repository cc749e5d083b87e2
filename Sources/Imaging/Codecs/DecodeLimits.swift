import CImageCodecs

/// What a file may ask for.
///
/// A file of 1 KB can claim 4 billion pixels, or a day of work.
package struct DecodeLimits: Sendable, Hashable {
  /// The most pixels of a picture that is decoded in rows, which costs time only.
  package var pixelLimit = 500_000_000

  /// The most pixels of a picture that has to be in memory as a whole, at up to 8 bytes each.
  package var wholePicturePixelLimit = 120_000_000

  /// The most scans that are read of a progressive JPEG.
  ///
  /// Encoders write about 10; each costs a pass over the whole picture. What is left out is missing
  /// detail, and the picture counts as damaged.
  package var scanLimit = 100

  /// The longest colour profile that is heeded, in bytes.
  ///
  /// Of the usual ones, those of printing presses are the longest: about 2 MB.
  package var profileByteLimit = 8 << 20

  /// The most processor time to spend on one picture.
  package var timeLimit = Duration.seconds(60)

  /// The limits for photos of today's cameras.
  package init() {}

  var codecLimits: codec_limits {
    let (seconds, attoseconds) = timeLimit.components
    return codec_limits(
      profile_bytes: profileByteLimit, scans: Int32(clamping: scanLimit),
      seconds: Double(seconds) + Double(attoseconds) * 1e-18)
  }
}

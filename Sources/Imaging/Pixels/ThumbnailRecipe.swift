/// How a thumbnail is made: the same original and recipe give the same bytes.
package struct ThumbnailRecipe: Sendable, Hashable {
  /// What matters more.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// A JPEG is decoded at the smallest scale that is larger than the thumbnail: the decoder averages
    /// encoded values then, and linear light begins after that.
    case standard = "default"
    /// All pixels are decoded, and all averages are of linear light.
    case exact
  }

  /// What the thumbnail is encoded as.
  package enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// JPEG if the picture is opaque, else PNG.
    case automatic
    /// PNG always: to judge the pixels without the loss of JPEG.
    case png
  }

  /// The version of the algorithm that this build has.
  ///
  /// It counts up with every change that lets the same original give other bytes.
  package static let currentVersion = 2

  /// The longest edge of the thumbnail in pixels, at least 1; a smaller picture keeps its size.
  package var longestEdge: Int
  /// The quality of JPEG, 1 to 100.
  package var quality: Int
  /// What matters more, time or exactness.
  package var mode: Mode
  /// What the thumbnail is encoded as.
  package var encoding: Encoding
  /// The version of the algorithm: another than `currentVersion` can be stored, but not made.
  package let algorithmVersion: Int

  /// A recipe of this build's algorithm, unless it is one that was stored.
  package init(
    longestEdge: Int = 512, quality: Int = 80, mode: Mode = .standard,
    encoding: Encoding = .automatic, algorithmVersion: Int = Self.currentVersion
  ) {
    self.longestEdge = longestEdge
    self.quality = quality
    self.mode = mode
    self.encoding = encoding
    self.algorithmVersion = algorithmVersion
  }
}

/// A small copy of an original, as a file's bytes.
public struct StoredThumbnail: Hashable, Sendable {
  /// How a thumbnail was made; one made by another recipe than the archive's is stale.
  public struct Recipe: Hashable, Sendable {
    /// Pixels of the longer side, at most: a smaller picture keeps its size.
    public var longestEdge: Int
    /// JPEG quality, 1 to 100.
    public var quality: Int
    /// The algorithm and its version, which changes whenever its pixels do.
    public var algorithm: String

    /// A recipe of these ingredients.
    public init(longestEdge: Int, quality: Int, algorithm: String) {
      (self.longestEdge, self.quality, self.algorithm) = (longestEdge, quality, algorithm)
    }
  }

  /// How it was made.
  public var recipe: Recipe
  /// `jpeg`, or `png` where the picture has transparent parts.
  public var format: String
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The file.
  public var data: [UInt8]

  /// A thumbnail as it was encoded.
  public init(recipe: Recipe, format: String, width: Int, height: Int, data: [UInt8]) {
    (self.recipe, self.format, self.width, self.height) = (recipe, format, width, height)
    self.data = data
  }
}

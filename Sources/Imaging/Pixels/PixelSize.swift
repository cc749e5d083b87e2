/// The sides of a picture, in pixels.
package struct PixelSize: Sendable, Hashable {
  /// Pixels from left to right.
  package var width: Int
  /// Pixels from top to bottom.
  package var height: Int

  /// A size of `width` by `height` pixels.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The count of pixels.
  package var area: Int { width * height }

  /// The size once a picture of EXIF orientation 1 to 8 is turned upright: 5 to 8 exchange the sides.
  package func upright(orientation: Int) -> PixelSize {
    orientation >= 5 ? PixelSize(width: height, height: width) : self
  }

  /// The largest size of this shape with no side over `longestEdge`; itself if it fits already.
  ///
  /// The shorter side is rounded to the nearest pixel, and at least one.
  package func fitted(inside longestEdge: Int) -> PixelSize {
    let longest = max(width, height)
    guard longest > longestEdge else { return self }
    func fit(_ side: Int) -> Int { max(1, (2 * side * longestEdge + longest) / (2 * longest)) }
    return PixelSize(width: fit(width), height: fit(height))
  }
}

import Imaging

/// Reads any bytes as an original, with limits that keep each run short.
@_cdecl("LLVMFuzzerTestOneInput")
public func readJPEG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var limits = DecodeLimits()
  (limits.pixelLimit, limits.wholePicturePixelLimit, limits.scanLimit) = (1 << 16, 1 << 16, 20)
  limits.timeLimit = .seconds(2)
  let properties = try? ImageProperties.probe(ByteSource(file), limits: limits)
  for mode in ThumbnailRecipe.Mode.allCases {
    let recipe = ThumbnailRecipe(longestEdge: 64, mode: mode)
    guard
      let thumbnail = try? Thumbnail.make(from: ByteSource(file), recipe: recipe, limits: limits)
    else { continue }
    precondition(properties?.storedSize == thumbnail.properties.storedSize)
    precondition(max(thumbnail.size.width, thumbnail.size.height) <= 64)
  }
  return 0
}

import Imaging

/// Reads any bytes as HEIC, AVIF or WebP: to be built with `--traits HEIF,WebP`.
@_cdecl("LLVMFuzzerTestOneInput")
public func readContainer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = [UInt8](UnsafeBufferPointer(start: start, count: count))
  var limits = DecodeLimits()
  (limits.pixelLimit, limits.wholePicturePixelLimit) = (0, 1 << 16)  // Nothing but these formats.
  limits.timeLimit = .seconds(2)
  _ = UndecodedPicture(ByteSource(file))
  let properties = try? ImageProperties.probe(ByteSource(file), limits: limits)
  let recipe = ThumbnailRecipe(longestEdge: 64)
  guard let thumbnail = try? Thumbnail.make(from: ByteSource(file), recipe: recipe, limits: limits)
  else { return 0 }
  precondition(properties == thumbnail.properties)
  precondition(max(thumbnail.size.width, thumbnail.size.height) <= 64)
  return 0
}

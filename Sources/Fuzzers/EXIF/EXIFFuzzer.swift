import Imaging

/// Reads any bytes as the EXIF block of a JPEG segment or a PNG chunk.
@_cdecl("LLVMFuzzerTestOneInput")
public func readEXIF(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let block = [UInt8](UnsafeBufferPointer(start: start, count: count))
  guard let exif = EXIF(block: block.span) else { return 0 }
  precondition(exif.orientation.map { (1...8).contains($0) } ?? true)
  precondition(exif.captureDate.map { (0...999).contains($0.milliseconds) } ?? true)
  precondition(exif.captureDate?.offset.map { abs($0) <= 50_400 } ?? true)
  precondition(exif.position.map { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 } ?? true)
  return 0
}

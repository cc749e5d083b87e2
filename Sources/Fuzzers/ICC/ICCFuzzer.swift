import Imaging

/// Reads any bytes as an ICC profile, and applies it if it can be.
@_cdecl("LLVMFuzzerTestOneInput")
public func readICC(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let profile = [UInt8](UnsafeBufferPointer(start: start, count: count))
  for channelCount in [1, 3] {
    guard
      case .convertible(let transform) = ColorProfile(icc: profile.span, channelCount: channelCount)
    else { continue }
    precondition(transform.matrix.allSatisfy { $0.isFinite })
    precondition(transform.tables(count: 256).allSatisfy { $0.allSatisfy { (0...1).contains($0) } })
  }
  return 0
}

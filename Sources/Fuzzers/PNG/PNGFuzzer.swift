import Imaging

/// Reads any bytes as an original, with limits that keep each run short.
@_cdecl("LLVMFuzzerTestOneInput")
public func readPNG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var file = [UInt8](UnsafeBufferPointer(start: start, count: count))
  // A chunk with a wrong checksum is dropped unread, and a change rarely hits the right one.
  if count % 4 != 0 { repairChecksums(of: &file) }
  var limits = DecodeLimits()
  (limits.pixelLimit, limits.wholePicturePixelLimit) = (1 << 16, 1 << 16)
  limits.timeLimit = .seconds(2)
  let properties = try? ImageProperties.probe(ByteSource(file), limits: limits)
  let recipe = ThumbnailRecipe(longestEdge: 64)
  guard let thumbnail = try? Thumbnail.make(from: ByteSource(file), recipe: recipe, limits: limits)
  else { return 0 }
  precondition(properties?.storedSize == thumbnail.properties.storedSize)
  precondition(max(thumbnail.size.width, thumbnail.size.height) <= 64)
  return 0
}

/// Writes the right checksum behind each chunk, as far as the lengths of the chunks lead.
private func repairChecksums(of file: inout [UInt8]) {
  var chunk = 8
  while chunk <= file.count - 12 {
    let length = file[chunk..<chunk + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = chunk + 8 + length
    guard end <= file.count - 4 else { return }
    let sum = file[chunk + 4..<end].reduce(~UInt32(0)) { sum, byte in
      checksums[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
    for index in 0..<4 { file[end + index] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * index)) }
    chunk = end + 4
  }
}

/// That of each single byte, as annex D of the PNG specification has it.
private let checksums: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
}

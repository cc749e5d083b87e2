/// A PNG that a test makes sample by sample, with chunks as it likes; compressed not at all.
struct PNGFixture {
  enum Color: UInt8 {
    case grey = 0, rgb = 2, palette = 3, greyAlpha = 4, rgba = 6

    var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  var width: Int
  var height: Int
  var bits = 8
  var color = Color.rgb
  var isInterlaced = false
  var chunksBeforeData: [(name: String, content: [UInt8])] = []
  var chunksAfterData: [(name: String, content: [UInt8])] = []
  /// The samples of the pixel at x and y.
  var samples: (_ x: Int, _ y: Int) -> [Int]

  var bytes: [UInt8] {
    var bytes = header
    for (name, content) in chunksBeforeData { bytes += Self.chunk(name, content) }
    bytes += Self.chunk("IDAT", Self.stored(rows))
    for (name, content) in chunksAfterData { bytes += Self.chunk(name, content) }
    return bytes + Self.chunk("IEND", [])
  }

  /// The file up to its first chunk.
  var header: [UInt8] {
    let content =
      Self.number(width) + Self.number(height)
      + [UInt8(bits), color.rawValue, 0, 0, isInterlaced ? 1 : 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", content)
  }

  /// The filtered rows, of all passes.
  private var rows: [UInt8] {
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [UInt8] = []
    for (left, top, stepX, stepY) in isInterlaced ? passes : [(0, 0, 1, 1)] where left < width {
      for y in stride(from: top, to: height, by: stepY) {
        rows.append(0)  // No filter.
        rows += packed(stride(from: left, to: width, by: stepX).flatMap { samples($0, y) })
      }
    }
    return rows
  }

  private func packed(_ samples: [Int]) -> [UInt8] {
    if bits == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
    let perByte = 8 / bits
    return stride(from: 0, to: samples.count, by: perByte).map { start in
      (0..<perByte).reduce(0) { byte, k in
        byte << bits | UInt8(start + k < samples.count ? samples[start + k] : 0)
      }
    }
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return number(content.count) + named + number(Int(checksum(named)))
  }

  /// The bytes as a zlib stream of stored blocks (RFC 1950, RFC 1951).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + number(b << 16 | a)
  }

  /// CRC-32 as PNG has it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
}

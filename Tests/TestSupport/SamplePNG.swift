/// Small PNG files for tests: each number gives another picture.
package enum SamplePNG {
  /// A grey gradient that `number` shifts; valid, opaque, without metadata.
  package static func bytes(_ number: Int, width: Int = 24, height: Int = 16) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)  // No filter.
      for x in 0..<width { rows.append(UInt8(truncatingIfNeeded: x * 5 + y * 3 + number * 7)) }
      rows[rows.count - 1] = UInt8(truncatingIfNeeded: number)
      rows[rows.count - 2] = UInt8(truncatingIfNeeded: number >> 8)
    }
    let header = word(UInt32(width)) + word(UInt32(height)) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return word(UInt32(data.count)) + body + word(crc32(body))
  }

  /// A zlib stream (RFC 1950) of blocks that are not compressed.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let count = UInt16(part.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [count, ~count] { stream += [UInt8(number & 0xff), UInt8(number >> 8)] }
      stream += part
    } while !rest.isEmpty
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + word(b << 16 | a)
  }

  /// The checksum of the PNG specification, annex D.
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

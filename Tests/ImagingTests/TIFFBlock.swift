/// An EXIF block that a test builds field by field, well-formed unless the test says otherwise.
struct TIFFBlock {
  struct Field {
    let tag: Int
    let type: Int
    let count: Int
    let value: [UInt32]
    let width: Int

    static func ascii(_ tag: Int, _ text: String, type: Int = 2) -> Field {
      bytes(tag, Array(text.utf8) + [0], type: type)
    }
    static func bytes(_ tag: Int, _ bytes: [UInt8], type: Int) -> Field {
      Field(tag: tag, type: type, count: bytes.count, value: bytes.map { UInt32($0) }, width: 1)
    }
    static func short(_ tag: Int, _ value: UInt32) -> Field {
      Field(tag: tag, type: 3, count: 1, value: [value], width: 2)
    }
    static func long(_ tag: Int, _ value: UInt32, count: Int = 1, type: Int = 4) -> Field {
      Field(tag: tag, type: type, count: count, value: [value], width: 4)
    }
    static func rationals(_ tag: Int, _ values: [(UInt32, UInt32)]) -> Field {
      Field(
        tag: tag, type: 5, count: values.count, value: values.flatMap { [$0.0, $0.1] }, width: 4)
    }
  }

  var isBigEndian = false
  var main: [Field] = []
  var exif: [Field] = []
  var gps: [Field] = []
  /// The directory after the first, which describes the embedded thumbnail.
  var thumbnail: [Field] = []

  var bytes: [UInt8] {
    var main = main
    let links = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
    let exifStart = 8 + Self.size(main.count + links)
    let gpsStart = exifStart + (exif.isEmpty ? 0 : Self.size(exif.count))
    let thumbnailStart = gpsStart + (gps.isEmpty ? 0 : Self.size(gps.count))
    var end = thumbnailStart + (thumbnail.isEmpty ? 0 : Self.size(thumbnail.count))
    if !exif.isEmpty { main.append(.long(0x8769, UInt32(exifStart))) }
    if !gps.isEmpty { main.append(.long(0x8825, UInt32(gpsStart))) }

    var directories = integer(isBigEndian ? 0x4D4D : 0x4949, 2) + integer(42, 2) + integer(8, 4)
    var values: [UInt8] = []
    for (fields, next) in [
      (main, thumbnail.isEmpty ? 0 : thumbnailStart), (exif, 0), (gps, 0), (thumbnail, 0),
    ] where !fields.isEmpty {
      directories += integer(UInt32(fields.count), 2)
      for field in fields {
        var value = field.value.flatMap { integer($0, field.width) }
        if value.count > 4 {
          values += value
          (value, end) = (integer(UInt32(end), 4), end + value.count)
        }
        directories += integer(UInt32(field.tag), 2) + integer(UInt32(field.type), 2)
        directories += integer(UInt32(field.count), 4)
        directories += value + [UInt8](repeating: 0, count: 4 - value.count)
      }
      directories += integer(UInt32(next), 4)
    }
    return directories + values
  }

  private static func size(_ fieldCount: Int) -> Int { 2 + fieldCount * 12 + 4 }

  private func integer(_ value: UInt32, _ width: Int) -> [UInt8] {
    let littleEndian = (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? littleEndian.reversed() : littleEndian
  }
}

extension TIFFBlock {
  static func sample(isBigEndian: Bool = false) -> TIFFBlock {
    TIFFBlock(
      isBigEndian: isBigEndian,
      main: [.ascii(0x010F, "Example"), .ascii(0x0110, "Model 1 "), .short(0x0112, 6)],
      exif: [
        .ascii(0x9003, "2019:08:07 06:05:04"), .ascii(0x9011, "-03:30"), .ascii(0x9291, "12"),
        .bytes(0x927C, [1, 2, 3, 4, 5, 6], type: 7),
      ],
      gps: [
        .ascii(1, "S"), .rationals(2, [(33, 1), (51, 1), (2500, 100)]),
        .ascii(3, "E"), .rationals(4, [(151, 1), (12_916_668, 1_000_000), (0, 1)]),
      ])
  }
}

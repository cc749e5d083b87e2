/// An ICC profile that a test builds tag by tag, well-formed unless the test says otherwise.
struct ICCBytes {
  var version: UInt8 = 4
  var deviceClass = "mntr"
  var space = "RGB "
  var connectionSpace = "XYZ "
  var tags: [(name: String, value: [UInt8])] = []

  /// A profile of three equal curves and the colours of red, green and blue relative to D50.
  static func rgb(
    _ red: [Double], _ green: [Double], _ blue: [Double], curve: [UInt8]
  ) -> ICCBytes {
    ICCBytes(tags: [
      ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue)), ("rTRC", curve),
      ("gTRC", curve), ("bTRC", curve),
    ])
  }

  static func grey(curve: [UInt8]) -> ICCBytes {
    ICCBytes(space: "GRAY", tags: [("kTRC", curve)])
  }

  static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap(fixed)
  }

  static func parametric(_ type: UInt8, _ values: Double...) -> [UInt8] {
    Array("para\0\0\0\0".utf8) + [0, type, 0, 0] + values.flatMap(fixed)
  }

  static func sampled(_ samples: UInt16...) -> [UInt8] { sampled(samples) }

  static func sampled(_ samples: [UInt16]) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bytes(UInt32(samples.count))
      + samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  var bytes: [UInt8] {
    var start = 132 + tags.count * 12
    var table = Self.bytes(UInt32(tags.count))
    for (name, value) in tags {
      table += Array(name.utf8) + Self.bytes(UInt32(start)) + Self.bytes(UInt32(value.count))
      start += value.count
    }
    var header = Self.bytes(UInt32(start)) + [0, 0, 0, 0, version, 0, 0, 0]
    header += Array((deviceClass + space + connectionSpace).utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + tags.flatMap(\.value)
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    bytes(UInt32(bitPattern: Int32((value * 65_536).rounded())))
  }
}

extension ICCBytes {
  static let sRGBCurve = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

  // The primaries of each space, adapted to D50 and rounded as they are commonly published.

  /// IEC 61966-2-1.
  static func sRGB(curve: [UInt8] = sRGBCurve) -> ICCBytes {
    rgb(
      [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
      curve: curve)
  }
  /// SMPTE EG 432-1, with the curve of sRGB.
  static let displayP3 = rgb(
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
    curve: sRGBCurve)
  /// Adobe RGB (1998): gamma 563/256.
  static let adobeRGB = rgb(
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    curve: sampled(563))
  /// ProPhoto RGB (ISO 22028-2): gamma 1.8.
  static let proPhoto = rgb(
    [0.79767, 0.28804, 0], [0.13519, 0.71188, 0], [0.03135, 0.00009, 0.82491], curve: sampled(461))
}

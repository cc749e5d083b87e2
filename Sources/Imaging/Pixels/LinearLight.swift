#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How stored samples become linear light: in proportion to photons, so that an average of them is
/// what an eye sees from afar.
struct LinearLight {
  /// For red, green and blue (or thrice grey): the light of each of the 2^bits stored values.
  var tables: [[Float]]
  /// Three rows of three: from this light to that of sRGB's primaries; nil where they are the same.
  var matrix: [Float]?

  /// Samples as sRGB (IEC 61966-2-1) has them.
  static func sRGB(bits: Int) -> LinearLight {
    let table = bits == 16 ? sRGBTable16 : sRGBTable8
    return LinearLight(tables: [table, table, table])
  }

  private static let sRGBTable8 = table(bits: 8, decodeSRGB)
  private static let sRGBTable16 = table(bits: 16, decodeSRGB)

  /// The light of every stored value, by a function of 0...1.
  static func table(bits: Int, _ decode: (Double) -> Double) -> [Float] {
    let full = Double(1 << bits - 1)
    return (0..<1 << bits).map { Float(decode(Double($0) / full)) }
  }

  static func decodeSRGB(_ encoded: Double) -> Double {
    encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  /// The sRGB value, 0 to 255, that is nearest to each of 65,536 steps of linear light.
  static let sRGBEncoding: [UInt8] = {
    var encoding = [UInt8](repeating: 255, count: 65536)
    var step = 0
    for value in 0..<255 {
      // Up to the light midway, as encoded, to the next value.
      let end = decodeSRGB((Double(value) + 0.5) / 255) * 65535
      while Double(step) < end {
        encoding[step] = UInt8(value)
        step += 1
      }
    }
    return encoding
  }()
}

/// How stored samples become linear light: in proportion to photons, so that an average of them is
/// what an eye sees from afar.
struct LinearLight {
  /// For red, green and blue (or thrice grey): the light of each of the 2^bits stored values.
  let tables: [[Float]]
  /// Three rows of three: from this light to that of sRGB's primaries; nil where they are the same.
  let matrix: [Float]?

  /// - Parameters:
  ///   - color: What the samples mean; where that can't be read, they are taken for sRGB.
  ///   - bits: Of a sample, 8 or 16.
  init(_ color: ColorProfile, bits: Int) {
    if case .convertible(let transform) = color {
      tables = transform.tables(count: 1 << bits)
      matrix = transform.matrix
    } else {
      let table = bits == 16 ? Self.sRGBTable16 : Self.sRGBTable8
      tables = [table, table, table]
      matrix = nil
    }
  }

  private static let sRGBTable8 = ToneCurve.sRGB.table(count: 1 << 8)
  private static let sRGBTable16 = ToneCurve.sRGB.table(count: 1 << 16)

  /// The sRGB value, 0 to 255, that is nearest to each of 65,536 steps of linear light.
  static let sRGBEncoding: [UInt8] = {
    var encoding = [UInt8](repeating: 255, count: 65536)
    var step = 0
    for value in 0..<255 {
      // Up to the light midway, as encoded, to the next value.
      let end = ToneCurve.sRGB((Double(value) + 0.5) / 255) * 65535
      while Double(step) < end {
        encoding[step] = UInt8(value)
        step += 1
      }
    }
    return encoding
  }()
}

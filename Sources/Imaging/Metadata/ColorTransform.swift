/// How a picture's numbers become linear sRGB: a curve for each channel, then a matrix.
package struct ColorTransform: Sendable, Equatable {
  /// One curve for a grey picture, three for red, green and blue.
  package let curves: [ToneCurve]

  /// Row by row, nine numbers that turn the light of the three channels into linear sRGB.
  ///
  /// A row says how much of each channel goes into red, then green, then blue. What comes out below
  /// 0 or above 1 lies outside sRGB and is to be clipped. For grey it is the identity: the one
  /// channel's light is red, green and blue alike.
  package let matrix: [Float]

  init(curves: [ToneCurve], matrix: Matrix3x3 = .identity) {
    self.curves = curves
    self.matrix = [0, 1, 2].flatMap { row in
      [matrix.columns.0[row], matrix.columns.1[row], matrix.columns.2[row]].map { Float($0) }
    }
  }

  /// The curves as tables of the light, 0 to 1, of each stored value.
  ///
  /// - Parameter count: 256 where samples have 8 bits, 65,536 where they have 16.
  /// - Returns: One for red, green and blue in turn; for grey thrice the same.
  package func tables(count: Int) -> [[Float]] {
    var tables = [curves[0].table(count: count)]
    for (index, curve) in curves.enumerated().dropFirst() {
      tables.append(curve == curves[index - 1] ? tables[index - 1] : curve.table(count: count))
    }
    return tables.count == 1 ? [tables[0], tables[0], tables[0]] : tables
  }

  /// Whether the colours are so near to those of sRGB that nobody would see the difference.
  ///
  /// The curves have to agree within half a step of 8 bits, and the matrix within a thousandth: the
  /// primaries of sRGB profiles are rounded, to four digits in some.
  var isSRGB: Bool {
    let identity: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    return zip(matrix, identity).allSatisfy { abs($0 - $1) < 0.001 }
      && curves.allSatisfy { curve in
        curve == .sRGB
          || (0...255).allSatisfy { Self.halfStepsOfSRGB[$0].contains(curve(Double($0) / 255)) }
      }
  }

  /// For each 8-bit value, the light from half a step below it to half a step above.
  private static let halfStepsOfSRGB = (0...255).map { value in
    ToneCurve.sRGB((Double(value) - 0.5) / 255)...ToneCurve.sRGB((Double(value) + 0.5) / 255)
  }
}

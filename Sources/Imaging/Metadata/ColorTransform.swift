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

  /// Whether the colours are so near to those of sRGB that nobody would see the difference.
  ///
  /// Within half a step of 8 bits for each curve, and a third of one through the matrix.
  var isSRGB: Bool {
    let identity: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    let isIdentity = zip(matrix, identity).allSatisfy { abs($0 - $1) < 0.003 }
    return isIdentity
      && curves.allSatisfy { curve in
        (0...255).allSatisfy { step in
          let light = curve(Double(step) / 255)
          let tolerance = 0.5 / 255
          return light > ToneCurve.sRGB(max(Double(step) / 255 - tolerance, 0)) - 1e-4
            && light < ToneCurve.sRGB(min(Double(step) / 255 + tolerance, 1)) + 1e-4
        }
      }
  }
}

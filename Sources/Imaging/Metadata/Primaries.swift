/// The colours that a space's pure red, green and blue, and its white, have.
///
/// Each is an x and y of the CIE 1931 chromaticity diagram.
package struct Primaries: Sendable, Equatable {
  let red, green, blue, white: SIMD2<Double>

  /// Describes a space by its four chromaticities.
  package init(
    red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  static let d65: SIMD2 = [0.3127, 0.3290]

  /// ITU-R BT.709 and sRGB (IEC 61966-2-1).
  static let sRGB = Primaries(
    red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060], white: d65)
  /// Display P3 (SMPTE EG 432-1).
  static let displayP3 = Primaries(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: d65)
  /// ITU-R BT.2020 and BT.2100.
  static let bt2020 = Primaries(
    red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: d65)

  /// Linear colours of this space to XYZ, white having Y = 1.
  ///
  /// Nil where the four do not span a space of colours.
  var toXYZ: Matrix3x3? {
    guard min(red.y, green.y, blue.y) > 1e-3, min(white.x, white.y) > 1e-3 else { return nil }
    let pure = Matrix3x3(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
    guard abs(pure.determinant) > 1e-3 else { return nil }
    let amounts = pure.inverse * Self.xyz(white)  // Of each that together make white.
    guard amounts.min() > 0 else { return nil }
    return pure * Matrix3x3(diagonal: amounts)
  }

  /// Linear colours of this space to linear sRGB, white staying white.
  var toSRGB: Matrix3x3? {
    guard let toXYZ, let sRGB = Self.sRGB.toXYZ else { return nil }
    return sRGB.inverse * Self.adaptation(from: Self.xyz(white), to: Self.xyz(Self.d65)) * toXYZ
  }

  /// XYZ relative to D50, the white of all ICC profiles, to linear sRGB.
  static let sRGBFromD50: Matrix3x3 = {
    guard let sRGB = Primaries.sRGB.toXYZ else { preconditionFailure("sRGB spans a space.") }
    return sRGB.inverse * adaptation(from: d50, to: xyz(d65))
  }()

  /// As ICC.1:2022 §7.2.16 rounds it.
  static let d50: SIMD3 = [0.9642, 1.0, 0.8249]

  private static func xyz(_ chromaticity: SIMD2<Double>) -> SIMD3<Double> {
    let (x, y) = (chromaticity.x, chromaticity.y)
    return [x / y, 1, (1 - x - y) / y]
  }

  /// Turns colours seen under one white into those that look alike under another.
  ///
  /// The linear Bradford transform of ICC.1:2022 annex E.
  private static func adaptation(from: SIMD3<Double>, to: SIMD3<Double>) -> Matrix3x3 {
    let cones = Matrix3x3(
      columns: [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296])
    return cones.inverse * Matrix3x3(diagonal: (cones * to) / (cones * from)) * cones
  }
}

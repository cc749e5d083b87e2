/// The chunks in which a PNG says what its colours mean, as found, not yet judged.
package struct PNGColor: Sendable, Equatable {
  /// `cICP`: code points of ITU-T H.273.
  package struct CodingIndependentCodePoints: Sendable, Equatable {
    var primaries, transfer, matrix, fullRange: UInt8

    /// Takes the four bytes of the chunk in their order.
    package init(primaries: UInt8, transfer: UInt8, matrix: UInt8, fullRange: UInt8) {
      self.primaries = primaries
      self.transfer = transfer
      self.matrix = matrix
      self.fullRange = fullRange
    }
  }

  /// The four bytes of `cICP`.
  package var codePoints: CodingIndependentCodePoints?
  /// The profile of `iCCP`, unpacked.
  package var profile: [UInt8]?
  /// Whether there is an `sRGB` chunk.
  package var isSRGB = false
  /// `gAMA`: the exponent with which light was encoded, times 100,000.
  package var gamma: UInt32?
  /// `cHRM`, divided by 100,000.
  package var primaries: Primaries?

  /// No chunk at all.
  package init() {}
}

extension ColorProfile {
  /// Judges a PNG's colour chunks by the first of `cICP`, `iCCP`, `sRGB`, `gAMA` with `cHRM` that is
  /// there and can be used (PNG, third edition, §4.3).
  ///
  /// - Parameters:
  ///   - png: The chunks.
  ///   - channelCount: The channels of the picture without alpha, 1 or 3; a palette's colours have 3.
  package init(png: PNGColor, channelCount: Int) {
    if let transform = png.codePoints?.transform(channelCount: channelCount) {
      self.init(transform)
    } else if let profile = png.profile, Self.applies(profile.span, channelCount: channelCount) {
      self.init(icc: profile.span, channelCount: channelCount)
    } else if !png.isSRGB, let transform = png.gammaTransform(channelCount: channelCount) {
      self.init(transform)
    } else {
      self = .sRGB
    }
  }
}

extension PNGColor.CodingIndependentCodePoints {
  /// Nil for the many code points that pictures do not use, and for the narrow range of video.
  fileprivate func transform(channelCount: Int) -> ColorTransform? {
    guard matrix == 0, fullRange == 1 else { return nil }
    let space: Primaries
    switch primaries {
    case 1: space = .sRGB
    case 9: space = .bt2020
    case 12: space = .displayP3
    default: return nil
    }
    let curve: ToneCurve
    switch transfer {
    case 1, 6, 14, 15: curve = .bt709
    case 8: curve = .linear
    case 13: curve = .sRGB
    case 16: curve = .perceptualQuantizer
    case 18: curve = .hybridLogGamma
    default: return nil
    }
    return ColorTransform(curve, space, channelCount: channelCount)
  }
}

extension PNGColor {
  /// From `gAMA` and `cHRM`; where one is missing or absurd, sRGB's curve or primaries stand in.
  fileprivate func gammaTransform(channelCount: Int) -> ColorTransform? {
    var curve = ToneCurve.sRGB
    // 45,455 is what writers of sRGB are told to put here, in place of its own curve.
    if let gamma, (10_000...1_000_000).contains(gamma), !(45_450...45_460).contains(gamma) {
      curve = .parametric(gamma: 100_000 / Double(gamma))
    }
    return primaries.flatMap { ColorTransform(curve, $0, channelCount: channelCount) }
      ?? ColorTransform(curve, .sRGB, channelCount: channelCount)
  }
}

extension ColorTransform {
  /// Nil where the primaries do not span a space of colours.
  fileprivate init?(_ curve: ToneCurve, _ primaries: Primaries, channelCount: Int) {
    if channelCount == 1 {
      self.init(curves: [curve])
    } else if let matrix = primaries.toSRGB {
      self.init(curves: [curve, curve, curve], matrix: matrix)
    } else {
      return nil
    }
  }
}

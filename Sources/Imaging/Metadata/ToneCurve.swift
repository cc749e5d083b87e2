#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How the numbers of one channel, 0 to 1, become amounts of light.
package enum ToneCurve: Sendable, Equatable {
  /// `(a·x + b)^gamma + e` from `x` = `d` on, `c·x + f` below: type 4 of ICC.1:2022 §10.18, of
  /// which all the others are special cases.
  case parametric(
    gamma: Double, a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 0, e: Double = 0,
    f: Double = 0)
  /// Amounts at equal steps of `x`, 65,535 for 1, at least two of them; linear in between.
  case sampled([UInt16])
  /// SMPTE ST 2084 (PQ), brought into the range of a common display.
  case perceptualQuantizer
  /// Hybrid log-gamma of ITU-R BT.2100, brought into the range of a common display.
  case hybridLogGamma

  /// IEC 61966-2-1.
  static let sRGB = parametric(gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
  /// The inverse of the camera's curve in ITU-R BT.709, which BT.2020 shares.
  static let bt709 = parametric(
    gamma: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081)
  static let linear = parametric(gamma: 1)

  /// The amount of light for `x`, both from 0 to 1.
  func callAsFunction(_ x: Double) -> Double {
    let light =
      switch self {
      case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
        x >= d ? pow(max(a * x + b, 0), gamma) + e : c * x + f
      case .sampled(let samples): Self.interpolated(samples, at: x)
      case .perceptualQuantizer: Self.toneMapped(nits: Self.nits(perceptual: x))
      case .hybridLogGamma: Self.toneMapped(nits: 1000 * pow(Self.sceneLight(hybrid: x), 1.2))
      }
    return light > 0 ? min(light, 1) : 0  // Also where it is not a number.
  }

  /// The light for each of `count` equal steps of `x` from 0 to 1; at least two.
  ///
  /// 256 for pictures with 8 bits a sample, 65,536 for those with 16.
  func table(count: Int) -> [Float] {
    (0..<count).map { Float(self(Double($0) / Double(count - 1))) }
  }

  private static func interpolated(_ samples: [UInt16], at x: Double) -> Double {
    let place = min(max(x, 0), 1) * Double(samples.count - 1)
    let index = min(Int(place), samples.count - 2)
    let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
    return (low + (high - low) * (place - Double(index))) / 65_535
  }

  // MARK: High dynamic range

  // SMPTE ST 2084 §5.
  private static let m1 = 2610.0 / 16_384
  private static let m2 = 2523.0 / 32
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 128
  private static let c3 = 2392.0 / 128

  private static func nits(perceptual x: Double) -> Double {
    let root = pow(x, 1 / m2)
    return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  private static func perceptual(nits: Double) -> Double {
    let power = pow(nits / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }

  /// ITU-R BT.2100-2 table 5, 0 to 1.
  private static func sceneLight(hybrid x: Double) -> Double {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73)
    return x <= 0.5 ? x * x / 3 : (exp((x - c) / a) + b) / 12
  }

  /// Light of a display that reaches 1000 nits on one that calls 203 nits white (ITU-R BT.2408).
  ///
  /// The curve of ITU-R BT.2390-11 §5.4.1: what is darker than 88 nits stays, what is brighter is
  /// pressed together, and all beyond 1000 nits is white. It acts on each channel by itself, which
  /// takes colour out of highlights as film does.
  private static func toneMapped(nits: Double) -> Double {
    let peak = perceptual(nits: 1000)
    let white = perceptual(nits: 203) / peak
    let knee = 1.5 * white - 0.5
    let x = min(perceptual(nits: nits) / peak, 1)
    guard x > knee else { return nits / 203 }
    let t = (x - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let y =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white
    return Self.nits(perceptual: y * peak) / 203
  }
}

/// What a picture says of its colours, and what a thumbnail in sRGB needs to be right.
package enum ColorProfile: Sendable, Equatable {
  /// The colours are sRGB already, or nothing that can apply is said of them.
  case sRGB
  /// The colours can be converted.
  case convertible(ColorTransform)
  /// An ICC profile that other programs may know how to use: the thumbnail keeps the picture's
  /// numbers and carries the profile along unchanged.
  case unreadable
}

extension ColorProfile {
  /// Reads an ICC profile of version 2 or 4 (ICC.1:2022) for relative colorimetric conversion.
  ///
  /// Convertible are RGB profiles made of three curves and a matrix, and grey ones made of a curve.
  /// A profile with tables is unreadable. One that is no profile, or is made for other channels than
  /// the picture's, cannot apply, and the picture is shown as sRGB. So is CMYK, whose profile has no
  /// meaning for an RGB thumbnail.
  ///
  /// - Parameters:
  ///   - icc: The whole profile, as joined from a JPEG's segments or unpacked from a PNG's chunk.
  ///   - channelCount: The channels of the picture without alpha: 1, 3 or 4.
  package init(icc: Span<UInt8>, channelCount: Int) {
    guard let header = ICCHeader(icc), header.channelCount == channelCount else {
      self = .sRGB
      return
    }
    guard let transform = header.transform(of: icc) else {
      self = .unreadable
      return
    }
    self.init(transform)
  }

  init(_ transform: ColorTransform) {
    self = transform.isSRGB ? .sRGB : .convertible(transform)
  }

  /// Whether the bytes are a profile for pictures of so many channels.
  static func applies(_ icc: Span<UInt8>, channelCount: Int) -> Bool {
    ICCHeader(icc)?.channelCount == channelCount
  }
}

/// The head of a profile and the table of its tags.
private struct ICCHeader {
  /// 1 for grey, 3 for RGB.
  let channelCount: Int
  private let version: Int
  private let deviceClass: Int
  private let connectionSpace: Int
  /// The bytes of each tag that lies within the profile.
  private var tags: [Int: Range<Int>] = [:]

  /// Nil where the bytes are no profile of grey or RGB.
  init?(_ icc: Span<UInt8>) {
    guard
      icc.uint32(at: 36) == code("acsp"), let space = icc.uint32(at: 16),
      let deviceClass = icc.uint32(at: 12), let connectionSpace = icc.uint32(at: 20),
      let tagCount = icc.uint32(at: 128)
    else { return nil }
    switch space {
    case code("GRAY"): channelCount = 1
    case code("RGB "): channelCount = 3
    default: return nil
    }
    self.version = Int(icc[8])
    self.deviceClass = deviceClass
    self.connectionSpace = connectionSpace
    // Profiles have about 20 tags.
    for entry in stride(from: 132, to: 132 + min(tagCount, 200) * 12, by: 12) {
      guard
        let tag = icc.uint32(at: entry), let start = icc.uint32(at: entry + 4),
        let size = icc.uint32(at: entry + 8)
      else { break }
      guard start + size <= icc.count, tags[tag] == nil else { continue }
      tags[tag] = start..<start + size
    }
  }

  /// Nil where the profile is not made of curves and a matrix alone.
  func transform(of icc: Span<UInt8>) -> ColorTransform? {
    let classes = ["mntr", "scnr", "prtr", "spac"] as [StaticString]
    let tables = ["A2B0", "A2B1", "D2B0", "D2B1"] as [StaticString]
    guard
      (2...4).contains(version), classes.contains(where: { code($0) == deviceClass }),
      connectionSpace == code("XYZ "), tables.allSatisfy({ tags[code($0)] == nil })
    else { return nil }
    if channelCount == 1 {
      return curve("kTRC", of: icc).map { ColorTransform(curves: [$0]) }
    }
    guard
      let red = color("rXYZ", of: icc), let green = color("gXYZ", of: icc),
      let blue = color("bXYZ", of: icc), let redCurve = curve("rTRC", of: icc),
      let greenCurve = curve("gTRC", of: icc), let blueCurve = curve("bTRC", of: icc)
    else { return nil }
    let toXYZ = Matrix3x3(columns: red, green, blue)
    guard abs(toXYZ.determinant) > 1e-4 else { return nil }
    return ColorTransform(
      curves: [redCurve, greenCurve, blueCurve], matrix: Primaries.sRGBFromD50 * toXYZ)
  }

  /// An `XYZType` (ICC.1:2022 §10.31).
  private func color(_ name: StaticString, of icc: Span<UInt8>) -> SIMD3<Double>? {
    guard
      let tag = tags[code(name)], tag.count >= 20, icc.uint32(at: tag.lowerBound) == code("XYZ "),
      let x = icc.fixed(at: tag.lowerBound + 8), let y = icc.fixed(at: tag.lowerBound + 12),
      let z = icc.fixed(at: tag.lowerBound + 16)
    else { return nil }
    return [x, y, z]
  }

  /// A `curveType` or `parametricCurveType` (ICC.1:2022 §10.6, §10.18).
  private func curve(_ name: StaticString, of icc: Span<UInt8>) -> ToneCurve? {
    guard let tag = tags[code(name)], tag.count >= 12 else { return nil }
    let start = tag.lowerBound
    switch icc.uint32(at: start) {
    case code("curv"):
      guard let count = icc.uint32(at: start + 8), count <= 65_536, tag.count >= 12 + count * 2
      else { return nil }
      var samples: [UInt16] = []
      samples.reserveCapacity(count)
      for place in stride(from: start + 12, to: start + 12 + count * 2, by: 2) {
        samples.append(UInt16(icc[place]) << 8 | UInt16(icc[place + 1]))
      }
      switch count {
      case 0: return .linear
      case 1: return samples[0] > 0 ? .parametric(gamma: Double(samples[0]) / 256) : nil
      default: return .sampled(samples)
      }
    case code("para"):
      let counts = [1, 3, 4, 5, 7]  // Of parameters, for each type of function.
      guard
        let type = icc.uint16(at: start + 8), counts.indices.contains(type),
        tag.count >= 12 + counts[type] * 4
      else { return nil }
      let values = (0..<counts[type]).compactMap { icc.fixed(at: start + 12 + $0 * 4) }
      return Self.parametric(type: type, values)
    default: return nil
    }
  }

  private static func parametric(type: Int, _ values: [Double]) -> ToneCurve? {
    let gamma = values[0]
    guard gamma > 0 else { return nil }
    if type == 0 { return .parametric(gamma: gamma) }
    let (a, b) = (values[1], values[2])
    if type <= 2 {
      guard a > 0 else { return nil }
      let floor = type == 2 ? values[3] : 0
      return .parametric(gamma: gamma, a: a, b: b, d: -b / a, e: floor, f: floor)
    }
    let (e, f) = type == 4 ? (values[5], values[6]) : (0, 0)
    return .parametric(gamma: gamma, a: a, b: b, c: values[3], d: values[4], e: e, f: f)
  }
}

/// The four characters of a signature as the number that they are in a profile.
private func code(_ name: StaticString) -> Int {
  name.description.utf8.reduce(0) { $0 << 8 | Int($1) }
}

extension Span<UInt8> {
  /// An `s15Fixed16Number` (ICC.1:2022 §4.6).
  fileprivate func fixed(at offset: Int) -> Double? {
    uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}

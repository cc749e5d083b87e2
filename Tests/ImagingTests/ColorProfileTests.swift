import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct ColorProfileTests {
  // MARK: Conversion

  /// Colours of each space, and what Little CMS 2.19 makes of them in sRGB, relative colorimetric.
  @Test(
    arguments: [
      (
        "Display P3", ICCBytes.displayP3,
        [[200, 100, 50], [50, 150, 100], [90, 60, 160], [20, 24, 16], [240, 220, 30]],
        [[215, 93, 31], [0, 153, 95], [95, 58, 166], [19, 24, 15], [244, 219, 0]]
      ),
      (
        "Adobe RGB", .adobeRGB,
        [[200, 100, 50], [50, 150, 100], [90, 60, 160], [20, 24, 16], [240, 220, 30]],
        [[227, 100, 42], [0, 151, 97], [99, 57, 164], [10, 17, 7], [248, 221, 0]]
      ),
      (
        "ProPhoto RGB", .proPhoto,
        [[200, 100, 50], [50, 150, 100], [90, 60, 160], [20, 24, 16], [240, 220, 30]],
        [[255, 80, 46], [0, 181, 110], [99, 66, 186], [23, 33, 17], [255, 223, 0]]
      ),
    ] as [(String, ICCBytes, [[Int]], [[Int]])])
  func `a known space is converted as Little CMS does it, to one step of 8 bits`(
    name: String, profile: ICCBytes, colors: [[Int]], converted: [[Int]]
  ) throws {
    let transform = try #require(ColorProfile(profile).transform)
    for (color, expected) in zip(colors, converted) {
      for (channel, value) in zip(transform.sRGB(color), expected) {
        #expect(abs(channel - value) <= 1, "\(name) \(color)")
      }
    }
    #expect(transform.sRGB([255, 255, 255]) == [255, 255, 255], "White stays white.")
    #expect(transform.sRGB([0, 0, 0]) == [0, 0, 0])
    let grey = transform.sRGB([128, 128, 128])
    #expect(grey[0] == grey[1] && grey[1] == grey[2], "Grey stays grey.")
  }

  @Test func `a grey profile is its curve alone`() throws {
    let profile = ColorProfile(.grey(curve: ICCBytes.sampled(461)), channelCount: 1)
    let transform = try #require(profile.transform)
    #expect(transform.curves.count == 1)
    #expect(
      [0, 30, 64, 128, 200, 255].map { transform.sRGB([$0]) }
        == [0, 40, 81, 146, 210, 255]
        .map { [$0, $0, $0] })
  }

  @Test func `a profile that is sRGB in effect needs no conversion`() {
    let samples = (0..<1024).map { UInt16((decodeSRGB(Double($0) / 1023) * 65_535).rounded()) }
    #expect(ColorProfile(.sRGB()) == .sRGB)
    #expect(ColorProfile(.sRGB(curve: ICCBytes.sampled(samples))) == .sRGB)
    #expect(ColorProfile(.grey(curve: ICCBytes.sRGBCurve), channelCount: 1) == .sRGB)
    #expect(ColorProfile(.sRGB(curve: ICCBytes.parametric(0, 2.2))) != .sRGB)
    #expect(ColorProfile(.displayP3) != .sRGB)
  }

  // MARK: Curves

  /// Types 0 to 4 of ICC.1:2022 table 68, and tables, each at 0, at the bend, beyond it, and at 1.
  @Test(
    arguments: [
      (ICCBytes.parametric(0, 2), [0: 0.0, 51: 0.04, 255: 1]),
      (ICCBytes.parametric(1, 2, 1.25, -0.25), [0: 0, 51: 0, 153: 0.25, 255: 1]),
      (ICCBytes.parametric(2, 2, 1, -0.2, 0.1), [0: 0.1, 51: 0.1, 153: 0.26, 255: 0.74]),
      (ICCBytes.parametric(3, 2, 1, 0, 0.5, 0.4), [0: 0, 51: 0.1, 102: 0.16, 153: 0.36, 255: 1]),
      (
        ICCBytes.parametric(4, 2, 0.5, 0, 0.5, 0.4, 0.3, 0.1),
        [0: 0.1, 51: 0.2, 102: 0.34, 255: 0.55]
      ),
      (ICCBytes.sampled(), [0: 0, 51: 0.2, 255: 1]),
      (ICCBytes.sampled(512), [0: 0, 51: 0.04, 255: 1]),
      (ICCBytes.sampled(0, 65_535), [0: 0, 51: 0.2, 255: 1]),
      (ICCBytes.sampled(65_535, 0, 65_535), [0: 1, 51: 0.6, 255: 1]),
    ] as [([UInt8], [Int: Float])])
  func `every kind of curve is followed`(curve: [UInt8], expected: [Int: Float]) throws {
    let transform = try #require(ColorProfile(.sRGB(curve: curve)).transform)
    let tables = transform.tables(count: 256)
    #expect(tables.count == 3 && tables[0] == tables[2])
    for (value, light) in expected {
      #expect(abs(tables[1][value] - light) < 0.0001, "\(value)")
    }
    let fine = transform.tables(count: 65_536)[1]
    #expect(zip(tables[1], 0...255).allSatisfy { abs(fine[$1 * 257] - $0) < 0.0001 })
  }

  @Test func `light below none and above all is clipped`() throws {
    let curve = ICCBytes.parametric(4, 1, 3, 0, 1, 0.5, 0, -0.25)
    let table = try #require(ColorProfile(.sRGB(curve: curve)).transform).tables(count: 256)[0]
    #expect(table[0] == 0 && table[255] == 1)
    #expect(table.allSatisfy { (0...1).contains($0) })
  }

  // MARK: What can't be converted

  @Test func `a profile with tables or of another make is left to other programs`() {
    for change: (inout ICCBytes) -> Void in [
      { $0.tags.append(("A2B0", [UInt8](repeating: 0, count: 32))) },
      { $0.connectionSpace = "Lab " },
      { $0.deviceClass = "link" }, { $0.version = 5 }, { $0.tags.removeLast() },
      { $0.tags.removeFirst() }, { $0.tags[0].value = $0.tags[1].value },
      { $0.tags[0].value.removeLast() }, { $0.tags[3].value.removeLast() },
      { $0.tags[3].value = ICCBytes.parametric(5, 1) },
      { $0.tags[3].value = ICCBytes.parametric(0, 0) }, { $0.tags[3].value = ICCBytes.sampled(0) },
      { $0.tags[3].value = Array("mft2".utf8) + [UInt8](repeating: 0, count: 60) },
    ] {
      var profile = ICCBytes.displayP3
      change(&profile)
      #expect(ColorProfile(profile) == .unreadable)
    }
  }

  @Test func `a profile that cannot apply leaves the picture as sRGB`() {
    for bytes in [[], Array("not a profile".utf8), [UInt8](repeating: 0, count: 500)] {
      let profile = ColorProfile(icc: bytes.span, channelCount: 3)
      #expect(profile == .sRGB)
    }
    #expect(ColorProfile(.displayP3, channelCount: 1) == .sRGB)
    #expect(ColorProfile(.displayP3, channelCount: 4) == .sRGB)
    #expect(ColorProfile(.grey(curve: ICCBytes.sampled(461)), channelCount: 3) == .sRGB)
    let ink = ICCBytes(deviceClass: "prtr", space: "CMYK", connectionSpace: "Lab ")
    #expect(ColorProfile(ink, channelCount: 3) == .sRGB)
    #expect(ColorProfile(ink, channelCount: 4) == .sRGB)
  }

  @Test func `a profile cut at any byte is never half used`() {
    let bytes = ICCBytes.adobeRGB.bytes
    for count in bytes.indices {
      let profile = ColorProfile(icc: bytes.span.extracting(first: count), channelCount: 3)
      #expect(profile == (count < 132 ? .sRGB : .unreadable), "\(count)")
    }
  }

  @Test func `a mutated profile gives light from 0 to 1 and finite numbers`() {
    var generator = SplitMix(seed: 7)
    var convertible = 0
    let profiles = [
      ICCBytes.proPhoto, .displayP3, .sRGB(curve: ICCBytes.sampled(0, 9, 700, 65_535)),
    ].map(\.bytes)
    for round in 0..<6000 {
      let bytes = mutated(profiles[round % 3], with: &generator)
      guard let transform = ColorProfile(icc: bytes.span, channelCount: 3).transform else {
        continue
      }
      convertible += 1
      #expect(transform.matrix.allSatisfy { $0.isFinite })
      #expect(transform.tables(count: 16).allSatisfy { $0.allSatisfy { (0...1).contains($0) } })
    }
    #expect(convertible > 500, "Mutations that nearly all break the profile would test little.")
  }
}

/// What a PNG says of its colours in chunks of its own.
@Suite struct PNGColorTests {
  @Test func `no chunk, and those of sRGB in effect, need no conversion`() {
    #expect(ColorProfile(png: PNGColor(), channelCount: 3) == .sRGB)
    var png = PNGColor()
    png.gamma = 45_455
    png.primaries = Primaries(
      red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: [0.3127, 0.329])
    #expect(ColorProfile(png: png, channelCount: 3) == .sRGB)
    #expect(ColorProfile(png: png, channelCount: 1) == .sRGB)
    png = PNGColor()
    png.codePoints = .init(primaries: 1, transfer: 13, matrix: 0, fullRange: 1)
    #expect(ColorProfile(png: png, channelCount: 3) == .sRGB)
  }

  @Test func `the gamma chunk is an exponent, within reason`() throws {
    var png = PNGColor()
    png.gamma = 50_000
    let transform = try #require(ColorProfile(png: png, channelCount: 1).transform)
    #expect(abs(transform.tables(count: 256)[0][51] - 0.04) < 0.0001)
    for absurd: UInt32 in [0, 1, .max] {
      png.gamma = absurd
      #expect(ColorProfile(png: png, channelCount: 1) == .sRGB)
    }
  }

  @Test func `chromaticities are heeded, and those that span nothing are not`() throws {
    var png = PNGColor()
    png.primaries = Primaries(
      red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.3127, 0.329])
    let byChunk = try #require(ColorProfile(png: png, channelCount: 3).transform)
    let byProfile = try #require(ColorProfile(.displayP3).transform)
    #expect(zip(byChunk.matrix, byProfile.matrix).allSatisfy { abs($0 - $1) < 0.001 })
    for absurd: SIMD2<Double> in [[0, 0], [0.15, 0.06], [42_949, 42_949], [0.3127, 0]] {
      png.primaries = Primaries(
        red: absurd, green: [0.15, 0.06], blue: [0.15, 0.06], white: [0.3127, 0.329])
      #expect(ColorProfile(png: png, channelCount: 3) == .sRGB)
    }
  }

  @Test func `code points come before a profile, that before sRGB, and gamma last`() {
    var png = PNGColor()
    png.gamma = 100_000
    #expect(ColorProfile(png: png, channelCount: 3).transform?.tables(count: 3)[0][1] == 0.5)
    png.isSRGB = true
    #expect(ColorProfile(png: png, channelCount: 3) == .sRGB)
    png.profile = ICCBytes.adobeRGB.bytes
    #expect(ColorProfile(png: png, channelCount: 3) == ColorProfile(.adobeRGB))
    #expect(ColorProfile(png: png, channelCount: 1) == .sRGB, "The profile is not for grey.")
    png.codePoints = .init(primaries: 1, transfer: 8, matrix: 0, fullRange: 1)
    #expect(ColorProfile(png: png, channelCount: 3).transform?.tables(count: 3)[0][1] == 0.5)
    png.codePoints = .init(primaries: 1, transfer: 8, matrix: 9, fullRange: 1)
    #expect(ColorProfile(png: png, channelCount: 3) == ColorProfile(.adobeRGB))
  }

  @Test func `high dynamic range is brought into the range of a display`() throws {
    let perceptual = try table(transfer: 16)
    let hybrid = try table(transfer: 18)
    for table in [perceptual, hybrid] {
      #expect(table[0] == 0 && table.last == 1)
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 })
    }
    // The signals of 100 and 203 nits (ITU-R BT.2408 table 1): bright, with room for highlights.
    #expect((0.45...0.5).contains(perceptual[508]))
    #expect((0.7...0.85).contains(perceptual[581]))
    // 203 nits is 0.75 of the hybrid signal, and the same light of either make looks the same.
    #expect(abs(perceptual[581] - hybrid[750]) < 0.01)
  }

  private func table(transfer: UInt8) throws -> [Float] {
    var png = PNGColor()
    png.codePoints = .init(primaries: 9, transfer: transfer, matrix: 0, fullRange: 1)
    return try #require(ColorProfile(png: png, channelCount: 3).transform).tables(count: 1001)[0]
  }
}

extension ColorProfile {
  fileprivate init(_ profile: ICCBytes, channelCount: Int = 3) {
    self.init(icc: profile.bytes.span, channelCount: channelCount)
  }

  fileprivate var transform: ColorTransform? {
    if case .convertible(let transform) = self { transform } else { nil }
  }
}

extension ColorTransform {
  /// The conversion of one colour of 8 bits a channel, as a pipeline does it.
  fileprivate func sRGB(_ color: [Int]) -> [Int] {
    let tables = tables(count: 256)
    let light = [0, 1, 2].map { tables[$0][color.count == 1 ? color[0] : color[$0]] }
    return [0, 3, 6].map { row in
      let sum = matrix[row] * light[0] + matrix[row + 1] * light[1] + matrix[row + 2] * light[2]
      let clipped = Double(min(max(sum, 0), 1))
      let encoded = clipped <= 0.003_130_8 ? clipped * 12.92 : 1.055 * pow(clipped, 1 / 2.4) - 0.055
      return Int((encoded * 255).rounded())
    }
  }
}

private func decodeSRGB(_ value: Double) -> Double {
  value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
}

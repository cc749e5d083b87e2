import Testing

@testable import Imaging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct LinearLightTests {
  private static let exact = ThumbnailRecipe(longestEdge: 128, mode: .exact, encoding: .png)

  @Test(arguments: [PNGFixture.Color.grey, .rgb])
  func `a picture that is small already keeps every value`(color: PNGFixture.Color) throws {
    let png = PNGFixture(width: 16, height: 16, color: color) { x, y in
      Array(repeating: y * 16 + x, count: color.channels)
    }
    let picture = try SmallPicture.thumbnail(of: png.bytes, Self.exact)
    #expect(
      picture.pixels == (0...255).flatMap { Array(repeating: UInt8($0), count: color.channels) })
  }

  @Test(arguments: [(1, 8), (3, 8), (4, 8), (3, 16), (4, 16)])
  func `rows may come in any pieces`(channels: Int, bits: Int) throws {
    let layout = RowLayout(width: 101, height: 67, channels: channels, bits: bits)
    let bytes = (0..<layout.height * layout.rowByteCount).map {
      UInt8(truncatingIfNeeded: $0 * $0 / 7)
    }
    func pixels(piece: Int) throws -> [UInt8] {
      var reducer = try RowReducer(
        layout, extent: (101, 66.5), to: PixelSize(width: 13, height: 9),
        light: LinearLight(.sRGB, bits: bits))
      bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: piece * layout.rowByteCount) {
          let end = min(start + piece * layout.rowByteCount, bytes.count)
          reducer.take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      }
      return reducer.picture(orientation: 1).pixels
    }
    let whole = try pixels(piece: layout.height)
    #expect(Set(whole).count > 20)
    for piece in [1, 3, 7, 8, 16, 21] { #expect(try pixels(piece: piece) == whole) }
  }

  @Test func `a fine checkerboard of black and white comes out at half the light`() throws {
    func sample(_ x: Int, _ y: Int) -> Int { (x + y) % 2 * 255 }
    let png = PNGFixture(width: 512, height: 512, color: .grey) { [sample($0, $1)] }.bytes
    let jpeg = try JPEGFixture(width: 512, height: 512, channels: 1, quality: 100) {
      [sample($0, $1)]
    }.bytes()
    for bytes in [png, jpeg] {
      let picture = try SmallPicture.thumbnail(of: bytes, Self.exact)
      let middle = (10..<118).flatMap { y in (10..<118).map { x in picture.colour(x, y)[0] } }
      #expect(middle.allSatisfy { (186...190).contains($0) })
    }
  }

  @Test func `detail too fine for the thumbnail turns grey and not into false rings`() throws {
    // A zone plate: cos(k r²), whose rings are as fine as 2 pixels at the edge.
    let side = 512
    let png = PNGFixture(width: side, height: side, color: .grey) { x, y in
      let (dx, dy) = (Double(x - side / 2), Double(y - side / 2))
      let light = 0.5 + 0.5 * cos(.pi * (dx * dx + dy * dy) / Double(side))
      return [
        Int(
          (255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055))
            .rounded())
      ]
    }
    for mode in ThumbnailRecipe.Mode.allCases {
      let recipe = ThumbnailRecipe(longestEdge: 128, mode: mode, encoding: .png)
      let picture = try SmallPicture.thumbnail(of: png.bytes, recipe)
      // Rings of the thumbnail's own limit, 2 of its pixels, are a quarter of the side from the middle
      // of its 128 pixels: at 32 / 2. From there on, only what a filter can't suppress is left.
      var contrast = 0.0
      for y in 0..<128 {
        for x in 0..<128 where hypot(Double(x) - 63.5, Double(y) - 63.5) > 30 {
          contrast = max(contrast, abs(Double(picture.colour(x, y)[0]) - 188))
        }
      }
      #expect(contrast < 12, "\(mode)")
      #expect(abs(picture.colour(64, 64)[0] - 255) < 12)
    }
  }

  @Test(arguments: [1, 2, 3, 5])
  func `a thin line keeps its weight wherever it lies`(thickness: Int) throws {
    // The light that a line takes from its background, summed across it, in widths of a pixel. On
    // grey there is room for the filter's overshoot beside the line.
    func light(_ value: Int) -> Double { ToneCurve.sRGB(Double(value) / 255) }
    for position in 200..<208 {
      let png = PNGFixture(width: 512, height: 64, color: .grey) { x, _ in
        [(position..<position + thickness).contains(x) ? 60 : 200]
      }
      let picture = try SmallPicture.thumbnail(of: png.bytes, Self.exact)
      let missing = (0..<128).map { light(200) - light(picture.colour($0, 8)[0]) }
      let weight = 4 * missing.reduce(0, +) / (light(200) - light(60))
      #expect(abs(weight - Double(thickness)) < 0.15)
    }
  }

  @Test func `16 bits become 8 by rounding`() throws {
    let png = PNGFixture(width: 256, height: 257, bits: 16, color: .grey) { x, y in [y * 255 + x] }
    let picture = try SmallPicture.thumbnail(
      of: png.bytes, ThumbnailRecipe(longestEdge: 257, encoding: .png))
    for y in 0..<257 {
      for x in 0..<256 {
        let exact = Double(y * 255 + x) / 257
        // Midway between two values, the 65,536 steps of light decide.
        #expect(abs(Double(picture.colour(x, y)[0]) - exact) <= 0.53)
      }
    }
  }

  @Test(arguments: [1, 2, 4, 8])
  func `grey and palettes of few bits have their colours`(bits: Int) throws {
    let last = 1 << bits - 1
    let grey = PNGFixture(width: 1 << bits, height: 3, bits: bits, color: .grey) { x, _ in [x] }
    let greyPicture = try SmallPicture.thumbnail(of: grey.bytes, .init(encoding: .png))
    for x in 0...last { #expect(greyPicture.colour(x, 1)[0] == x * 255 / last) }

    var palette: [UInt8] = []
    for index in 0...last { palette += [255 - UInt8(index), UInt8(index), UInt8(index * 7 % 256)] }
    var png = PNGFixture(
      width: 1 << bits, height: 3, bits: bits, color: .palette,
      chunksBeforeData: [("PLTE", palette)]
    ) { x, _ in [x] }
    var picture = try SmallPicture.thumbnail(of: png.bytes, .init(encoding: .png))
    #expect(Array(picture.pixels.prefix(palette.count)) == palette)
    // The first colour made half transparent.
    png.chunksBeforeData.append(("tRNS", [128]))
    picture = try SmallPicture.thumbnail(of: png.bytes, .init(encoding: .png))
    #expect(picture.colour(0, 0) == [255, 0, 0, 128])
    #expect(picture.colour(1, 0) == [254, 1, 7, 255])
  }

  @Test(arguments: [8, 16])
  func `an interlaced picture is the same as one that is not`(bits: Int) throws {
    for (width, height) in [(1, 1), (3, 5), (9, 2), (70, 41)] {
      var png = PNGFixture(width: width, height: height, bits: bits, color: .rgba) { x, y in
        [x * 3 % 256, y * 5 % 256, x * y % 256, 255 - x % 256].map { bits == 16 ? $0 * 257 : $0 }
      }
      let recipe = ThumbnailRecipe(longestEdge: 20)
      let expected = try Thumbnail.make(from: ByteSource(png.bytes), recipe: recipe)
      png.isInterlaced = true
      let thumbnail = try Thumbnail.make(from: ByteSource(png.bytes), recipe: recipe)
      #expect(thumbnail.bytes == expected.bytes)
      #expect(thumbnail.properties.decoding == .wholePicture)
      #expect(expected.properties.decoding == .rows)
    }
  }

  @Test func `a PNG whose values are linear light is shown so`() throws {
    let png = PNGFixture(
      width: 8, height: 8, color: .grey, chunksBeforeData: [("gAMA", PNGFixture.number(100_000))]
    ) { _, _ in [128] }
    let picture = try SmallPicture.thumbnail(of: png.bytes, .init(encoding: .png))
    #expect(picture.pixels.allSatisfy { $0 == 188 })
  }

  @Test func `a profile that is converted is gone, one that can't be read goes along unchanged`()
    throws
  {
    func profile(of icc: [UInt8]) throws -> [UInt8]? {
      let segment: (marker: UInt8, content: [UInt8]) = (
        0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + icc
      )
      let jpeg = try JPEGFixture(width: 40, height: 40, segments: [segment]) { _, _ in
        [200, 100, 50]
      }.bytes()
      let thumbnail = try Thumbnail.make(from: ByteSource(jpeg), recipe: ThumbnailRecipe())
      #expect(thumbnail.properties.profile == icc)
      return try ImageProperties.probe(ByteSource(thumbnail.bytes)).profile
    }
    // The primaries of Display P3, relative to D50.
    var icc = ICCBytes.rgb(
      [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
      curve: ICCBytes.parametric(0, 2.2))
    #expect(try profile(of: icc.bytes) == nil)
    icc.tags.append(("A2B0", Array("mft2".utf8) + Array(repeating: 0, count: 60)))
    #expect(try profile(of: icc.bytes) == icc.bytes)
  }
}

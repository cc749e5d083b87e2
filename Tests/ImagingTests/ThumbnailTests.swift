import Testing

@testable import Imaging

@Suite struct ThumbnailTests {
  private static let red = [220, 30, 30]
  private static let green = [30, 170, 50]
  private static let blue = [40, 60, 210]
  private static let white = [240, 240, 240]

  /// Four fields that, turned upright, are red, green, blue and white: left to right, top to bottom.
  private static func fields(orientation: Int) -> JPEGFixture {
    let upright = PixelSize(width: 120, height: 80)
    let stored = upright.upright(orientation: orientation)
    return JPEGFixture(
      width: stored.width, height: stored.height, segments: [JPEGFixture.orientation(orientation)]
    ) { i, j in
      // What EXIF says of row 0 and column 0: where in the upright picture the stored pixel belongs.
      let (right, bottom) = (upright.width - 1, upright.height - 1)
      let (x, y) =
        switch orientation {
        case 2: (right - i, j)
        case 3: (right - i, bottom - j)
        case 4: (i, bottom - j)
        case 5: (j, i)
        case 6: (right - j, i)
        case 7: (right - j, bottom - i)
        case 8: (j, bottom - i)
        default: (i, j)
        }
      return y < 40 ? (x < 60 ? red : green) : (x < 60 ? blue : white)
    }
  }

  @Test(arguments: 1...8, [60, 500])
  func `a thumbnail is upright and no longer says how to turn it`(
    orientation: Int, longestEdge: Int
  ) throws {
    let bytes = try Self.fields(orientation: orientation).bytes()
    let recipe = ThumbnailRecipe(longestEdge: longestEdge, quality: 95)
    let thumbnail = try Thumbnail.make(from: ByteSource(bytes), recipe: recipe)
    #expect(thumbnail.properties.orientation == orientation)
    #expect(thumbnail.properties.uprightSize == PixelSize(width: 120, height: 80))
    #expect(thumbnail.size == PixelSize(width: 120, height: 80).fitted(inside: longestEdge))
    #expect(try ImageProperties.probe(ByteSource(thumbnail.bytes)).exif == nil)

    let picture = try SmallPicture.thumbnail(
      of: bytes, ThumbnailRecipe(longestEdge: longestEdge, encoding: .png))
    let (right, bottom) = (picture.size.width - 8, picture.size.height - 8)
    let corners = [(7, 7), (right, 7), (7, bottom), (right, bottom)]
    for ((x, y), colour) in zip(corners, [Self.red, Self.green, Self.blue, Self.white]) {
      for (found, wanted) in zip(picture.colour(x, y), colour) { #expect(abs(found - wanted) < 12) }
    }
  }

  @Test(arguments: [
    (PixelSize(width: 20_000, height: 20), 512, PixelSize(width: 512, height: 1)),
    (PixelSize(width: 1, height: 3000), 512, PixelSize(width: 1, height: 512)),
    (PixelSize(width: 3, height: 8000), 64, PixelSize(width: 1, height: 64)),
    (PixelSize(width: 513, height: 512), 512, PixelSize(width: 512, height: 511)),
    (PixelSize(width: 1, height: 1), 1, PixelSize(width: 1, height: 1)),
    (PixelSize(width: 7, height: 5), 512, PixelSize(width: 7, height: 5)),
    (PixelSize(width: 512, height: 300), 512, PixelSize(width: 512, height: 300)),
    (PixelSize(width: 300, height: 200), 1, PixelSize(width: 1, height: 1)),
  ])
  func `a thumbnail fits, keeps the shape and is never enlarged`(
    stored: PixelSize, longestEdge: Int, expected: PixelSize
  ) throws {
    let jpeg = try JPEGFixture(width: stored.width, height: stored.height, channels: 1) { x, _ in
      [x % 256]
    }.bytes()
    let png = PNGFixture(width: stored.width, height: stored.height, color: .grey) { x, _ in
      [x % 256]
    }.bytes
    for bytes in [jpeg, png] {
      for mode in ThumbnailRecipe.Mode.allCases {
        let recipe = ThumbnailRecipe(longestEdge: longestEdge, mode: mode)
        let thumbnail = try Thumbnail.make(from: ByteSource(bytes), recipe: recipe)
        #expect(thumbnail.size == expected)
        #expect(try ImageProperties.probe(ByteSource(thumbnail.bytes)).storedSize == expected)
      }
    }
  }

  @Test func `transparent pictures become PNG, opaque ones JPEG, whatever the file could hold`()
    throws
  {
    func format(alpha: @escaping (Int) -> Int) throws -> ImageFormat {
      let png = PNGFixture(width: 90, height: 60, color: .rgba) { x, _ in [10, 20, 30, alpha(x)] }
      let thumbnail = try Thumbnail.make(
        from: ByteSource(png.bytes), recipe: ThumbnailRecipe(longestEdge: 30))
      #expect(thumbnail.properties.hasAlpha)
      return thumbnail.format
    }
    #expect(try format { _ in 255 } == .jpeg)
    #expect(try format { $0 < 45 ? 255 : 0 } == .png)
  }

  @Test func `the colour of transparent pixels does not bleed into the visible ones`() throws {
    // A blue disc on red that nobody sees.
    let png = PNGFixture(width: 200, height: 200, color: .rgba) { x, y in
      let isInside = (x - 100) * (x - 100) + (y - 100) * (y - 100) < 80 * 80
      return isInside ? [0, 0, 255, 255] : [255, 0, 0, 0]
    }
    let picture = try SmallPicture.thumbnail(of: png.bytes, ThumbnailRecipe(longestEdge: 64))
    #expect(picture.channels == 4)
    var edges = 0
    for y in 0..<64 {
      for x in 0..<64 {
        let colour = picture.colour(x, y)
        if colour[3] > 0 { #expect(colour[0] == 0 && colour[2] == 255) }
        if (1...254).contains(colour[3]) { edges += 1 }
      }
    }
    #expect(edges > 100)
  }

  @Test func `the same original and recipe give the same bytes, however they are read`()
    async throws
  {
    let jpeg = try JPEGFixture(width: 700, height: 500) { x, y in
      [x % 256, y % 256, (x * y) % 256]
    }.bytes()
    let recipe = ThumbnailRecipe(longestEdge: 100)
    let expected = try Thumbnail.make(from: ByteSource(jpeg), recipe: recipe)
    for part in [1, 7, 4096] {
      #expect(try Thumbnail.make(from: .inParts(jpeg, of: part), recipe: recipe) == expected)
    }
    try await withThrowingTaskGroup(of: Thumbnail.self) { group in
      for _ in 0..<8 {
        group.addTask { try Thumbnail.make(from: ByteSource(jpeg), recipe: recipe) }
      }
      for try await thumbnail in group { #expect(thumbnail == expected) }
    }
  }

  @Test func `a better quality takes more bytes, and the exact mode gives other pixels`() throws {
    let jpeg = try JPEGFixture(width: 640, height: 480) { x, y in
      [(x * 7) % 256, (y * 5) % 256, ((x ^ y) * 3) % 256]
    }.bytes()
    func bytes(_ recipe: ThumbnailRecipe) throws -> [UInt8] {
      try Thumbnail.make(from: ByteSource(jpeg), recipe: recipe).bytes
    }
    let usual = try bytes(ThumbnailRecipe(longestEdge: 128))
    #expect(try bytes(ThumbnailRecipe(longestEdge: 128, quality: 95)).count > usual.count)
    #expect(try bytes(ThumbnailRecipe(longestEdge: 128, mode: .exact)) != usual)
  }

  @Test func `only the header and the metadata are read to probe a JPEG`() throws {
    let jpeg = try JPEGFixture(
      width: 2000, height: 1000, quality: 100, segments: [JPEGFixture.orientation(6)]
    ) { x, y in [(x * y) % 251, (x + y) % 251, x % 251] }.bytes()
    var count = 0
    var rest = jpeg[...]
    let source = ByteSource { buffer in
      let part = rest.prefix(min(buffer.count, 512))
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      count += part.count
      return part.count
    }
    let properties = try ImageProperties.probe(source)
    #expect(properties.uprightSize == PixelSize(width: 1000, height: 2000))
    #expect(count <= 2048)
    #expect(jpeg.count > 100_000)
  }

  @Test func `EXIF data behind the pixels of a PNG is heeded`() throws {
    let block = TIFFBlock(main: [.short(0x0112, 6)]).bytes
    let png = PNGFixture(width: 60, height: 40, chunksAfterData: [("eXIf", block)]) { _, _ in
      [1, 2, 3]
    }.bytes
    let properties = try ImageProperties.probe(.inParts(png, of: 100))
    #expect(properties.orientation == 6)
    let thumbnail = try Thumbnail.make(
      from: ByteSource(png), recipe: ThumbnailRecipe(longestEdge: 30))
    #expect(thumbnail.properties == properties)
    #expect(thumbnail.size == PixelSize(width: 20, height: 30))
  }
}

extension ByteSource {
  /// A source that gives at most `part` bytes at a time.
  static func inParts(_ bytes: [UInt8], of part: Int) -> ByteSource {
    var rest = bytes[...]
    return ByteSource { buffer in
      let next = rest.prefix(min(part, buffer.count))
      buffer.copyBytes(from: next)
      rest = rest.dropFirst(next.count)
      return next.count
    }
  }
}

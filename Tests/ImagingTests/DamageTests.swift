import Testing

@testable import Imaging

@Suite struct DamageTests {
  private static let recipe = ThumbnailRecipe(longestEdge: 64, encoding: .png)

  private static func jpeg() throws -> [UInt8] {
    try JPEGFixture(width: 400, height: 300) { x, y in
      [x * 255 / 400, y * 255 / 300, (x / 20 + y / 20) % 2 * 200]
    }.bytes()
  }

  private static func png(isInterlaced: Bool = false, color: PNGFixture.Color = .rgb) -> [UInt8] {
    PNGFixture(width: 100, height: 80, color: color, isInterlaced: isInterlaced) { x, y in
      [x * 2, y * 3, (x / 5 + y / 5) % 2 * 200, 255].dropLast(4 - color.channels)
    }.bytes
  }

  @Test(arguments: [0.0, 0.001, 0.01, 0.05, 0.2, 0.35, 0.5, 0.75, 0.9, 0.99])
  func `of a cut file the first part is shown and the photo is damaged`(kept: Double) throws {
    let files = [try Self.jpeg(), Self.png(), Self.png(isInterlaced: true), Self.png(color: .rgba)]
    for whole in files {
      let cut = Array(whole.prefix(Int(Double(whole.count) * kept)))
      let made = Result { () throws(ImageError) in
        try Thumbnail.make(from: ByteSource(cut), recipe: Self.recipe)
      }
      switch made {
      case .success(let thumbnail):
        #expect(thumbnail.outcome == .damaged)
        #expect(kept > 0.04)
        let all = try SmallPicture.thumbnail(of: whole, Self.recipe)
        let part = try SmallPicture(png: thumbnail.bytes)
        if kept >= 0.2 && part.channels == all.channels {
          // An interlaced picture that is cut is coarse.
          for (found, wanted) in zip(part.colour(20, 2), all.colour(20, 2)) {
            #expect(abs(found - wanted) < 12)
          }
        }
      case .failure(let error):
        #expect(error == (cut.isEmpty ? .empty : cut.count < 8 ? .notAnImage : .truncated))
        #expect(kept < 0.1)
      }
    }
  }

  @Test func `every cut and every flipped byte ends in an outcome`() throws {
    for whole in [
      try JPEGFixture(width: 40, height: 40) { x, y in [x, y, x] }.bytes(), Self.png(),
    ] {
      for place in stride(from: 0, to: min(whole.count, 900), by: 3) {
        _ = try? Thumbnail.make(from: ByteSource(whole[..<place]), recipe: Self.recipe)
        var flipped = whole
        flipped[place] ^= 0xFF
        _ = try? Thumbnail.make(from: ByteSource(flipped), recipe: Self.recipe)
        _ = try? ImageProperties.probe(ByteSource(flipped))
      }
    }
  }

  @Test func `what cameras leave behind the picture is no damage`() throws {
    let jpeg = try Self.jpeg()
    let png = Self.png()
    for bytes in [jpeg + Array(repeating: 0xFF, count: 999), png + [1, 2, 3], jpeg + jpeg] {
      let thumbnail = try Thumbnail.make(from: ByteSource(bytes), recipe: Self.recipe)
      #expect(thumbnail.outcome == .whole)
    }
    // All the data is there, only the end marker is not.
    for bytes in [jpeg.dropLast(2), png.dropLast(12)] {
      let thumbnail = try Thumbnail.make(from: ByteSource(bytes), recipe: Self.recipe)
      #expect(thumbnail.outcome == .wholeWithWarnings)
    }
  }

  @Test func `a header that claims too much is refused before it costs anything`() throws {
    let claim = 0x7FFF_FFFF
    let png = PNGFixture(width: claim, height: claim) { _, _ in [] }.header
    #expect(throws: ImageError.tooLarge(PixelSize(width: claim, height: claim), limit: 500_000_000))
    {
      try Thumbnail.make(from: ByteSource(png), recipe: Self.recipe)
    }
    var jpeg = try Self.jpeg()
    let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    let size = PixelSize(width: 65_500, height: 65_500)
    #expect(throws: ImageError.tooLarge(size, limit: 500_000_000)) {
      try Thumbnail.make(from: ByteSource(jpeg), recipe: Self.recipe)
    }
    #expect(throws: ImageError.tooLarge(size, limit: 500_000_000)) {
      try ImageProperties.probe(ByteSource(jpeg))
    }
    // Within the limit of rows, but not of whole pictures.
    var limits = DecodeLimits()
    limits.wholePicturePixelLimit = 7999
    let interlaced = Self.png(isInterlaced: true)
    #expect(throws: ImageError.tooLarge(PixelSize(width: 100, height: 80), limit: 7999)) {
      try Thumbnail.make(from: ByteSource(interlaced), recipe: Self.recipe, limits: limits)
    }
    #expect(throws: Never.self) {
      try Thumbnail.make(from: ByteSource(Self.png()), recipe: Self.recipe, limits: limits)
    }
  }

  @Test func `a picture that takes too long is given up`() throws {
    var limits = DecodeLimits()
    limits.timeLimit = .zero
    for bytes in [try Self.jpeg(), Self.png(), Self.png(isInterlaced: true)] {
      #expect(throws: ImageError.tooSlow(limit: .zero)) {
        try Thumbnail.make(from: ByteSource(bytes), recipe: Self.recipe, limits: limits)
      }
    }
  }

  @Test(arguments: [0, 10, 700, 3000])
  func `an error of the source is that of the picture`(place: Int) throws {
    struct DiskError: Error, Equatable {}
    for bytes in [try Self.jpeg(), Self.png()] {
      var rest = bytes.prefix(place)
      let source = ByteSource { buffer in
        if rest.isEmpty { throw DiskError() }
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
      }
      #expect(throws: ImageError.unreadable(DiskError())) {
        try Thumbnail.make(from: source, recipe: Self.recipe)
      }
    }
  }

  @Test(
    arguments: [
      ([], ImageError.empty),
      (Array("Dear reader, this is no picture at all.".utf8), .notAnImage),
      ([0xFF, 0xD8], .notAnImage),
      ([0xFF, 0xD8, 0xFF], .truncated),
      (Array("GIF89a".utf8), .unsupported(kind: "GIF")),
      (Array("\0\0\0\u{18}ftypmp42\0\0\0\0isommp42".utf8), .notAnImage),
      (Array("II*\0".utf8), .unsupported(kind: "TIFF")),
      (Array("MM\0*".utf8), .unsupported(kind: "TIFF")),
      (
        Array("BM".utf8) + Array(repeating: 0, count: 12) + [40] + Array(repeating: 0, count: 40),
        .unsupported(kind: "BMP")
      ),
      (Array("BMW is a car, and no bitmap".utf8), .notAnImage),
      (Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), .unsupported(kind: "SVG")),
      (Array("<html><body>404</body></html>".utf8), .notAnImage),
    ] as [([UInt8], ImageError)])
  func `what is no JPEG or PNG is named`(bytes: [UInt8], expected: ImageError) {
    #expect(throws: expected) { try ImageProperties.probe(ByteSource(bytes)) }
    #expect(throws: expected) { try Thumbnail.make(from: ByteSource(bytes), recipe: Self.recipe) }
    #expect(expected.errorDescription?.isEmpty == false)
    #expect(expected.recoverySuggestion?.isEmpty == false)
  }

  @Test(
    arguments: [
      (0xC3, "lossless JPEG"), (0xC5, "hierarchical JPEG"),
      (0xCB, "arithmetic-coded lossless JPEG"),
    ] as [(UInt8, String)])
  func `a JPEG of another process is named`(marker: UInt8, kind: String) throws {
    var jpeg = try Self.jpeg()
    let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    jpeg[frame + 1] = marker
    #expect(throws: ImageError.unsupported(kind: kind)) {
      try ImageProperties.probe(ByteSource(jpeg))
    }
    jpeg[frame + 1] = 0xC0
    jpeg[frame + 4] = 12
    #expect(throws: ImageError.unsupported(kind: "12-bit JPEG")) {
      try ImageProperties.probe(ByteSource(jpeg))
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import Imaging

/// Small pictures in the formats that the traits are for, all drawn for this project.
struct ContainerFixture: CustomStringConvertible {
  let name: String
  var description: String { name }

  var bytes: [UInt8] {
    get throws {
      let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
      return [UInt8](try Data(contentsOf: url))
    }
  }

  func picture() throws -> SmallPicture {
    try .thumbnail(of: bytes, ThumbnailRecipe(longestEdge: 128, encoding: .png))
  }

  private static func named(_ names: String...) -> [ContainerFixture] {
    names.map(ContainerFixture.init).filter {
      ImageFormat(rawValue: String($0.name.split(separator: ".")[1]))?.isReadable == true
    }
  }

  /// The picture of upright.png: turned by the container, in wide colours, of 10 bits, moving.
  static let opaque = named(
    "turned.heic", "wide.heic", "deep.heic", "plain.avif", "turned.webp", "wide.webp", "plain.webp",
    "moving.webp"
  )
  /// The picture of alpha.png.
  static let transparent = named("alpha.heic", "alpha.avif", "alpha.webp")
  static let turned = named("turned.heic", "turned.webp")
  static let all = opaque + transparent
}

@Suite struct ContainerTests {
  // With no arguments a test runs no case and passes; this one notices.
  @Test func `the formats of the traits are tested in a build with them`() {
    var count = 0
    #if HEIF
      count += 6
    #endif
    #if WebP
      count += 5
    #endif
    #expect(ContainerFixture.all.count == count)
  }

  @Test(arguments: ContainerFixture.opaque)
  func `a picture looks the same in any container`(fixture: ContainerFixture) throws {
    let original = try SmallPicture(png: ContainerFixture(name: "upright.png").bytes)
    let picture = try fixture.picture()
    #expect(picture.size == original.size && picture.channels == 3)
    #expect(picture.meanDifference(from: original) < 4)
  }

  @Test(arguments: ContainerFixture.transparent)
  func `what is transparent stays so`(fixture: ContainerFixture) throws {
    let original = try SmallPicture(png: ContainerFixture(name: "alpha.png").bytes)
    let picture = try fixture.picture()
    #expect(picture.size == original.size && picture.channels == 4)
    #expect(picture.onGrey.meanDifference(from: original.onGrey) < 4)
  }

  @Test(arguments: ContainerFixture.turned)
  func `a picture is turned once, and has its camera's data`(fixture: ContainerFixture) throws {
    let properties = try ImageProperties.probe(ByteSource(fixture.bytes))
    #expect(properties.exif?.orientation == 6)
    #expect(properties.uprightSize == PixelSize(width: 128, height: 96))
    #expect(properties.exif?.make == "Print Shop" && properties.exif?.model == "Block 7")
    #expect(properties.exif?.captureDate?.offset == 9 * 3600)
    #expect(properties.exif?.position?.latitude == 35 + 1 / 60.0 + 30 / 3600.0)
  }

  @Test(arguments: ContainerFixture.all)
  func `a picture over the limit is refused by its header`(fixture: ContainerFixture) throws {
    var limits = DecodeLimits()
    limits.wholePicturePixelLimit = 1000
    #expect(throws: ImageError.self) {
      try ImageProperties.probe(ByteSource(fixture.bytes), limits: limits)
    }
    let size = try ImageProperties.probe(ByteSource(fixture.bytes)).storedSize
    #expect(throws: ImageError.tooLarge(size, limit: 1000)) {
      try Thumbnail.make(
        from: ByteSource(fixture.bytes), recipe: ThumbnailRecipe(), limits: limits)
    }
  }

  @Test(arguments: ContainerFixture.all)
  func `a cut file is reported and never crashes`(fixture: ContainerFixture) throws {
    let whole = try fixture.bytes
    for count in stride(from: 0, to: whole.count - 64, by: 41) {
      let made = try? Thumbnail.make(
        from: ByteSource(whole[..<count]), recipe: ThumbnailRecipe(longestEdge: 16))
      #expect(made == nil || made?.outcome != .whole, "\(count) of \(whole.count) bytes")
    }
  }

  @Test(arguments: ContainerFixture.all)
  func `changed bytes never crash`(fixture: ContainerFixture) throws {
    let whole = try fixture.bytes
    var random = SplitMix(seed: UInt64(whole.count))
    for _ in 0..<200 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 12..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      var limits = DecodeLimits()
      limits.wholePicturePixelLimit = 1 << 20
      _ = try? Thumbnail.make(
        from: ByteSource(bytes), recipe: ThumbnailRecipe(longestEdge: 16), limits: limits)
    }
  }

  // Its canvas took 3.4 GB of memory, behind a size of 72 × 96.
  @Test(.enabled(if: ImageFormat.heic.isReadable, "no trait HEIF"))
  func `a picture within the picture has no limit of its own`() throws {
    let bytes = try ContainerFixture(name: "overlay.heic").bytes
    let error = #expect(throws: ImageError.self) {
      try Thumbnail.make(from: ByteSource(bytes), recipe: ThumbnailRecipe())
    }
    #expect(error?.errorDescription?.contains("53303x64242 exceeds the maximum") == true)
  }

  @Test(.enabled(if: ImageFormat.webp.isReadable, "no trait WebP"))
  func `of a cut WebP the upper part is shown`() throws {
    let whole = try ContainerFixture(name: "wide.webp").bytes
    let thumbnail = try Thumbnail.make(
      from: ByteSource(whole.prefix(whole.count * 3 / 4)), recipe: ThumbnailRecipe())
    #expect(thumbnail.outcome == .damaged)
  }

  @Test(arguments: [
    ("plain.webp", PixelSize(width: 128, height: 96)),
    ("wide.webp", PixelSize(width: 128, height: 96)),
    ("alpha.webp", PixelSize(width: 72, height: 96)), ("turned.webp", nil),
  ])
  func `the size of a WebP that stands upright is told without the trait`(
    name: String, size: PixelSize?
  ) throws {
    let picture = try #require(UndecodedPicture(ByteSource(ContainerFixture(name: name).bytes)))
    #expect(picture.format == "webp" && picture.uprightSize == size)
  }

  @Test(arguments: [
    ("plain.avif", "AVIF", "HEIF"), ("wide.heic", "HEIC", "HEIF"), ("wide.webp", "WebP", "WebP"),
  ])
  func `a build without the trait says which one it takes`(
    name: String, kind: String, trait: String
  ) throws {
    let error = ImageError.unsupported(kind: kind)
    #expect(error.recoverySuggestion?.contains("`swift build --traits \(trait)`") == true)
    let bytes = try ContainerFixture(name: name).bytes
    let format = try #require(ImageFormat(rawValue: kind.lowercased()))
    if format.isReadable {
      #expect(try ImageProperties.probe(ByteSource(bytes)).format == format)
    } else {
      #expect(throws: error) { try ImageProperties.probe(ByteSource(bytes)) }
    }
  }
}

extension SmallPicture {
  /// The picture before mid-grey, without alpha.
  fileprivate var onGrey: SmallPicture {
    var result = SmallPicture(size: size, channels: 3, pixels: [])
    for start in stride(from: 0, to: pixels.count, by: channels) {
      let alpha = channels == 4 ? Int(pixels[start + 3]) : 255
      for sample in pixels[start..<start + 3] {
        result.pixels.append(UInt8((Int(sample) * alpha + 128 * (255 - alpha)) / 255))
      }
    }
    return result
  }
}

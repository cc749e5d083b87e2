@testable import Imaging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SmallPicture {
  /// The pixels of a PNG of 8 bits a sample, as they are stored.
  init(png bytes: [UInt8]) throws(ImageError) {
    var reader = try PNGReader(ByteSource(bytes), limits: DecodeLimits())
    let layout = try reader.start(denominator: 1, reduction: 1)
    precondition(layout.bits == 8)
    var pixels = [UInt8](repeating: 0, count: layout.rowByteCount * layout.height)
    guard try reader.readRows(into: &pixels) == layout.height else { throw .truncated }
    self.init(
      size: PixelSize(width: layout.width, height: layout.height), channels: layout.channels,
      pixels: pixels)
  }

  /// The pixels of the thumbnail of a picture.
  static func thumbnail(of bytes: [UInt8], _ recipe: ThumbnailRecipe) throws -> SmallPicture {
    try SmallPicture(png: Thumbnail.make(from: ByteSource(bytes), recipe: recipe).bytes)
  }

  /// The samples of a pixel; those of a grey one thrice.
  func colour(_ x: Int, _ y: Int) -> [Int] {
    let start = (y * size.width + x) * channels
    let samples = pixels[start..<start + channels].map(Int.init)
    return channels == 1 ? [samples[0], samples[0], samples[0]] : samples
  }

  /// The mean distance of colours (CIE 1976) from those of a picture of the same size.
  func meanDifference(from other: SmallPicture) -> Double {
    precondition(size == other.size)
    var sum = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (a, b) = (Self.lab(colour(x, y)), Self.lab(other.colour(x, y)))
        sum += sqrt(zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
      }
    }
    return sum / Double(size.area)
  }

  /// CIE L*a*b* under D65 of an sRGB colour.
  private static func lab(_ colour: [Int]) -> [Double] {
    let (r, g, b) = (light[colour[0]], light[colour[1]], light[colour[2]])
    func curve(_ t: Double) -> Double {
      t > 216 / 24389.0 ? cbrt(t) : (24389 / 27.0 * t + 16) / 116
    }
    let x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    let y = curve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  }

  private static let light = (0...255).map { ToneCurve.sRGB(Double($0) / 255) }
}

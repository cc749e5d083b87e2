@testable import Imaging

/// A JPEG that a test makes pixel by pixel, with segments as it likes.
struct JPEGFixture {
  var width: Int
  var height: Int
  /// 1 or 3.
  var channels = 3
  var quality = 95
  /// Segments to stand right after the start: marker and content.
  var segments: [(marker: UInt8, content: [UInt8])] = []
  /// The samples of the pixel at x and y.
  var samples: (_ x: Int, _ y: Int) -> [Int]

  func bytes() throws -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * channels)
    for y in 0..<height {
      for x in 0..<width { pixels += samples(x, y).map { UInt8($0) } }
    }
    let picture = SmallPicture(
      size: PixelSize(width: width, height: height), channels: channels, pixels: pixels)
    let encoded = try picture.encoded(as: .jpeg, quality: quality, profile: nil)
    var inserted: [UInt8] = []
    for (marker, content) in segments {
      let length = content.count + 2
      inserted += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
    return encoded.prefix(2) + inserted + encoded.dropFirst(2)
  }

  /// An EXIF segment that says no more than how the picture has to be turned.
  static func orientation(_ value: Int) -> (marker: UInt8, content: [UInt8]) {
    let block = TIFFBlock(main: [.short(0x0112, UInt32(value))])
    return (0xE1, Array("Exif\0\0".utf8) + block.bytes)
  }
}

import CImageCodecs

/// A picture that is small enough to be in memory: 8 bits a sample, top row first, no padding.
struct SmallPicture: Equatable {
  var size: PixelSize
  /// 1 (grey), 3 (RGB) or 4 (RGBA, not premultiplied).
  var channels: Int
  var pixels: [UInt8]

  /// Encodes the picture, without metadata but `profile`; `quality`, 1 to 100, counts for JPEG only.
  func encoded(
    as format: ImageFormat, quality: Int, profile: [UInt8]?
  ) throws(ImageError) -> [UInt8] {
    let output = Output()
    let status = (profile ?? []).withUnsafeBufferPointer { profile in
      let profile = codec_bytes(start: profile.baseAddress, count: profile.count)
      let (width, height) = (UInt32(size.width), UInt32(size.height))
      return switch format {
      case .jpeg:
        codec_jpeg_write(
          output.sink, pixels, width, height, Int32(channels), Int32(quality), profile)
      case .png: codec_png_write(output.sink, pixels, width, height, Int32(channels), profile)
      case .heic, .avif, .webp: preconditionFailure("A thumbnail is JPEG or PNG")
      }
    }
    guard status == .ok else { throw .outOfMemory }
    return output.bytes
  }
}

/// Where an encoder in C appends its bytes.
private final class Output {
  var bytes: [UInt8] = []

  /// For C to write to while `self` is alive.
  var sink: codec_sink {
    codec_sink(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, count in
      guard let context, let bytes else { return }
      let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
      output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
  }
}

import CImageCodecs

/// Reduces a picture to a smaller one, row by row, in linear light.
struct RowReducer: ~Copyable {
  private let reducer: OpaquePointer
  private let layout: RowLayout
  let size: PixelSize

  /// - Parameters:
  ///   - layout: The rows that will come.
  ///   - extent: How many of their pixels the picture covers across and down: the last may be a part
  ///     of one.
  ///   - size: That of the smaller picture.
  ///   - light: What the samples mean.
  /// - Throws: `.outOfMemory`.
  init(
    _ layout: RowLayout, extent: (x: Double, y: Double), to size: PixelSize, light: LinearLight
  ) throws(ImageError) {
    var plan = codec_reduction()
    plan.in_width = UInt32(layout.width)
    plan.in_height = UInt32(layout.height)
    plan.extent_x = extent.x
    plan.extent_y = extent.y
    plan.out_width = UInt32(size.width)
    plan.out_height = UInt32(size.height)
    plan.channels = Int32(layout.channels)
    plan.bits = Int32(layout.bits)
    let reducer = light.withTables { red, green, blue, matrix, encoding in
      plan.to_linear = (red, green, blue)
      plan.matrix = matrix
      plan.to_encoded = encoding
      return codec_reducer_create(&plan)
    }
    guard let reducer else { throw .outOfMemory }
    self.reducer = reducer
    self.layout = layout
    self.size = size
  }

  deinit { codec_reducer_free(reducer) }

  /// Takes the next rows from the top, without padding between them.
  mutating func take(_ rows: UnsafeRawBufferPointer) {
    let count = rows.count / layout.rowByteCount
    codec_reducer_take(reducer, rows.baseAddress, UInt32(count))
  }

  /// Whether all pixels of the smaller picture are the same.
  var isUniform: Bool { codec_reducer_is_uniform(reducer) }

  /// The smaller picture, once all rows are in, turned as EXIF orientation 1 to 8 says.
  func picture(orientation: Int) -> SmallPicture {
    let isOpaque = layout.channels < 4 || codec_reducer_is_opaque(reducer)
    let channels = isOpaque ? min(layout.channels, 3) : 4
    let pixels = [UInt8](unsafeUninitializedCapacity: size.area * channels) { buffer, count in
      codec_turn_upright(
        codec_reducer_pixels(reducer), UInt32(size.width), UInt32(size.height),
        Int32(layout.channels), Int32(orientation), buffer.baseAddress, Int32(channels))
      count = buffer.count
    }
    return SmallPicture(
      size: size.upright(orientation: orientation), channels: channels, pixels: pixels)
  }
}

extension LinearLight {
  fileprivate func withTables<Output>(
    _ body: (
      _ red: UnsafePointer<Float>?, _ green: UnsafePointer<Float>?, _ blue: UnsafePointer<Float>?,
      _ matrix: UnsafePointer<Float>?, _ encoding: UnsafePointer<UInt8>?
    ) -> Output
  ) -> Output {
    tables[0].withUnsafeBufferPointer { red in
      tables[1].withUnsafeBufferPointer { green in
        tables[2].withUnsafeBufferPointer { blue in
          (matrix ?? []).withUnsafeBufferPointer { matrix in
            Self.sRGBEncoding.withUnsafeBufferPointer { encoding in
              body(
                red.baseAddress, green.baseAddress, blue.baseAddress,
                matrix.isEmpty ? nil : matrix.baseAddress, encoding.baseAddress)
            }
          }
        }
      }
    }
  }
}

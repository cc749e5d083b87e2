/// A small copy of a picture, upright, in sRGB, without metadata.
package struct Thumbnail: Sendable, Equatable {
  /// How the original fared.
  package enum Outcome: Sendable, Hashable {
    /// All of it was read.
    case whole
    /// All of it was read; the decoder complained of something that doesn't change the picture.
    case wholeWithWarnings
    /// It is cut short or corrupt. What could be read is shown, the rest is grey or transparent.
    case damaged
  }

  /// The encoded thumbnail.
  package let bytes: [UInt8]
  /// Its size in pixels, no larger than the original.
  package let size: PixelSize
  /// How it is encoded.
  package let format: ImageFormat
  /// How the original fared.
  package let outcome: Outcome
  /// What the original's header says; EXIF data behind the pixels is heeded too.
  package let properties: ImageProperties

  /// Makes a thumbnail in one pass over the original.
  ///
  /// To be called from as many threads as there are processors. Memory is of a few rows, or of the
  /// whole picture where `properties.decoding` says so.
  ///
  /// - Parameters:
  ///   - source: The original, from its first byte. What follows the picture in it is not read.
  ///   - recipe: Of this build's algorithm version.
  ///   - limits: What the original may ask for.
  /// - Returns: The thumbnail, also of an original of which only a part can be read.
  /// - Throws: An `ImageError` when there is nothing to show.
  package static func make(
    from source: ByteSource, recipe: ThumbnailRecipe, limits: DecodeLimits = DecodeLimits()
  ) throws(ImageError) -> Thumbnail {
    precondition(recipe.longestEdge >= 1 && (1...100).contains(recipe.quality))
    precondition(recipe.algorithmVersion == ThumbnailRecipe.currentVersion)
    do {
      let format = try ImageFormat(source)
      switch format {
      case .jpeg: return try make(from: JPEGReader(source, limits: limits), source, recipe)
      case .png: return try make(from: PNGReader(source, limits: limits), source, recipe)
      case .heic, .avif, .webp:
        return try make(
          from: StillReader(source, format: format, limits: limits), source, recipe)
      }
    } catch {
      throw source.failure.map { .unreadable($0) } ?? error
    }
  }

  private static func make<Reader: PictureReader & ~Copyable>(
    from reader: consuming Reader, _ source: ByteSource, _ recipe: ThumbnailRecipe
  ) throws(ImageError) -> Thumbnail {
    var properties = reader.properties
    let stored = properties.storedSize
    let size = stored.fitted(inside: recipe.longestEdge)
    let denominator = Reader.isScalable ? decodeDenominator(stored, to: size, mode: recipe.mode) : 1
    let extent = (
      x: Double(stored.width) / Double(denominator), y: Double(stored.height) / Double(denominator)
    )
    let layout = try reader.start(
      denominator: denominator,
      reduction: max(extent.x / Double(size.width), extent.y / Double(size.height)))
    var reducer = try RowReducer(
      layout, extent: extent, to: size,
      light: LinearLight(reader.color, bits: layout.bits))
    let isComplete = try reduce(&reader, layout, into: &reducer)
    if let failure = source.failure { throw .unreadable(failure) }

    let (verdict, lateEXIF) = reader.finish()
    if let lateEXIF { properties.exif = lateEXIF }
    let isDamaged = !isComplete || verdict.isDamaged
    // Where nothing could be read, the decoder delivers grey; a flat picture that is cut tells as much.
    if isDamaged && verdict.hasEnded && reducer.isUniform { throw .truncated }

    let carriedProfile = reader.color == .unreadable ? properties.profile : nil
    let picture = reducer.picture(orientation: properties.orientation)
    let format: ImageFormat =
      picture.channels == 4 || recipe.encoding == .png ? .png : .jpeg
    return Thumbnail(
      bytes: try picture.encoded(
        as: format, quality: recipe.quality, profile: carriedProfile),
      size: picture.size, format: format,
      outcome: isDamaged ? .damaged : verdict.hasWarned ? .wholeWithWarnings : .whole,
      properties: properties)
  }

  /// Passes all rows on, and in place of those that can't be read, grey or transparent ones.
  ///
  /// - Returns: Whether all rows could be read.
  /// - Throws: If there was not one row.
  private static func reduce<Reader: PictureReader & ~Copyable>(
    _ reader: inout Reader, _ layout: RowLayout, into reducer: inout RowReducer
  ) throws(ImageError) -> Bool {
    let batch = min(layout.height, max(1, (1 << 18) / layout.rowByteCount))
    var rows = [UInt8](repeating: 0, count: batch * layout.rowByteCount)
    var rowsLeft = layout.height
    do {
      while rowsLeft > 0 {
        let count = try reader.readRows(into: &rows)
        if count == 0 { break }
        rows.withUnsafeBytes {
          reducer.take(UnsafeRawBufferPointer(rebasing: $0.prefix(count * layout.rowByteCount)))
        }
        rowsLeft -= count
      }
    } catch {
      if rowsLeft == layout.height { throw error }
    }
    guard rowsLeft > 0 else { return true }
    rows = [UInt8](repeating: layout.channels == 4 ? 0 : 128, count: rows.count)
    while rowsLeft > 0 {
      let count = min(rowsLeft, batch)
      rows.withUnsafeBytes {
        reducer.take(UnsafeRawBufferPointer(rebasing: $0.prefix(count * layout.rowByteCount)))
      }
      rowsLeft -= count
    }
    return false
  }
}

extension Thumbnail {
  /// The scale to decode at: the smallest of 1/8, 1/4, 1/2 and 1 that leaves enough to resample.
  ///
  /// Measured on photos against the linear-light reference: at 1.02 times the thumbnail's size the
  /// result is 1.6 dB worse than a scaler's that averages encoded values throughout; from 1.4 times
  /// it is more than 1 dB better. What 1/4 takes longer than 1/8 is a tenth.
  static func decodeDenominator(
    _ stored: PixelSize, to size: PixelSize, mode: ThumbnailRecipe.Mode
  ) -> Int {
    guard mode == .standard else { return 1 }
    let ratio = Double(max(stored.width, stored.height)) / Double(max(size.width, size.height))
    return [8, 4, 2].first { ratio >= 1.4 * Double($0) } ?? 1
  }
}

import Imaging
public import NoteArchive

/// What an archive's thumbnails are to be like.
public struct ThumbnailSettings: Hashable, Sendable {
  /// What matters more when a thumbnail is made.
  public enum Mode: String, Sendable, CaseIterable {
    /// Pictures are decoded at a reduced scale as far as that does not show.
    case fast
    /// Pictures are decoded in full, and averaged in linear light from the first step.
    case exact
  }

  /// Pixels of the longer side, at most; a smaller picture keeps its size.
  public var longestEdge = 512
  /// JPEG quality, 1 to 100.
  public var quality = 80
  /// What matters more.
  public var mode = Mode.fast

  /// The usual settings: at most 512 pixels, quality 80, fast.
  public init() {}

  /// The settings of an archive: those last set, else the usual ones.
  public static func current(of archive: Archive) throws(ArchiveError) -> ThumbnailSettings {
    var settings = ThumbnailSettings()
    guard let stored = try archive.thumbnailRecipe() else { return settings }
    settings.longestEdge = stored.longestEdge
    settings.quality = stored.quality
    settings.mode = Mode.allCases.first { stored.algorithm.hasPrefix($0.rawValue) } ?? .fast
    return settings
  }

  /// The recipe by which this program makes thumbnails of these settings.
  public var storedRecipe: StoredThumbnail.Recipe {
    .init(
      longestEdge: longestEdge, quality: quality,
      algorithm: "\(mode.rawValue)-\(ThumbnailRecipe.currentVersion)")
  }

  var recipe: ThumbnailRecipe {
    ThumbnailRecipe(
      longestEdge: longestEdge, quality: quality, mode: mode == .exact ? .exact : .standard)
  }

  /// A thumbnail that was made by `recipe`, as it is stored.
  func stored(_ thumbnail: Thumbnail) -> StoredThumbnail {
    StoredThumbnail(
      recipe: storedRecipe, format: thumbnail.format.rawValue, width: thumbnail.size.width,
      height: thumbnail.size.height, data: thumbnail.bytes)
  }
}

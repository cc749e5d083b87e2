public import FoundationEssentials

/// A note with its photos, as it stands in the archive.
public struct Note: Hashable, Sendable, Identifiable {
  /// Its identity, here and in every export.
  public var id: NoteID
  /// The note itself; may be empty.
  public var text: String
  /// A remark.
  public var memo: String?
  /// One of a few kinds, by which notes are grouped.
  public var label: String?
  /// In the order in which they were given, each once.
  public var tags: [String]
  /// Whether it is marked as a favorite.
  public var favorite: Bool
  /// What the note is about: the earliest capture time of its photos, unless given.
  public var moment: Moment
  /// Where `moment` came from.
  public var dateSource: DateSource
  /// When the note entered the archive.
  public var createdAt: Date
  /// When the note last changed.
  public var modifiedAt: Date
  /// When the note went into the trash, or nil while it is not there.
  public var deletedAt: Date?
  /// In the order in which they were picked.
  public var photos: [Photo]

  /// A note with a new identity, unless one is given.
  public init(
    id: NoteID = NoteID(), text: String = "", memo: String? = nil, label: String? = nil,
    tags: [String] = [], favorite: Bool = false, moment: Moment, dateSource: DateSource = .given,
    createdAt: Date = .now, modifiedAt: Date? = nil, deletedAt: Date? = nil, photos: [Photo] = []
  ) {
    (self.id, self.text, self.memo, self.label) = (id, text, memo, label)
    (self.tags, self.favorite, self.moment, self.dateSource) = (tags, favorite, moment, dateSource)
    (self.createdAt, self.modifiedAt) = (createdAt, modifiedAt ?? createdAt)
    (self.deletedAt, self.photos) = (deletedAt, photos)
  }

  /// The instant of `moment`.
  public var date: Date { moment.date }
  /// How many photos it has.
  public var photoCount: Int { photos.count }
}

/// Where a note's date came from.
public enum DateSource: String, Sendable, CaseIterable {
  /// A person said so.
  case given
  /// The earliest capture time in the photos' EXIF data.
  case exif
  /// A file beside the photo that describes it.
  case sidecar
  /// The photo's file name.
  case name
  /// The earliest modification time of the photos' files.
  case mtime
  /// The time of the import, as nothing better was known.
  case now
}

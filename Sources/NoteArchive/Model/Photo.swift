public import FoundationEssentials

/// A picture's place on a note; its bytes are the original that `digest` names.
public struct Photo: Hashable, Sendable {
  /// From 1, in the order in which the note's photos were picked.
  public var position: Int
  /// The name of the file that the photo came from, without its folder.
  public var filename: String
  /// The identity of the original's bytes.
  public var digest: ContentDigest
  /// What the bytes say of themselves.
  public var properties: PhotoProperties

  /// A photo at its place.
  public init(
    position: Int, filename: String, digest: ContentDigest, properties: PhotoProperties
  ) {
    (self.position, self.filename) = (position, filename)
    (self.digest, self.properties) = (digest, properties)
  }

  /// The kind of file: `jpeg`, `png`.
  public var format: String { properties.format }
  /// Pixels, as a person sees the picture.
  public var width: Int { properties.width }
  /// Pixels, as a person sees the picture.
  public var height: Int { properties.height }
  /// Bytes of the original.
  public var byteSize: Int { properties.byteSize }
  /// When the picture was taken, by its EXIF data.
  public var takenAt: Date? { properties.taken?.date }
  /// Whether a part of the picture is missing or broken.
  public var damaged: Bool { properties.damaged }
  /// The camera’s maker.
  public var cameraMake: String? { properties.cameraMake }
  /// The camera’s model.
  public var cameraModel: String? { properties.cameraModel }
  /// Degrees north.
  public var latitude: Double? { properties.latitude }
  /// Degrees east.
  public var longitude: Double? { properties.longitude }
}

/// What an original's bytes say of themselves.
public struct PhotoProperties: Hashable, Sendable {
  /// The kind of file, by its content: `jpeg`, `png`.
  public var format: String
  /// Pixels, as a person sees the picture; 0 where it was kept undecoded.
  public var width: Int
  /// Pixels, as a person sees the picture; 0 where it was kept undecoded.
  public var height: Int
  /// Bytes of the original.
  public var byteSize: Int
  /// When the picture was taken, by its EXIF data.
  public var taken: Moment?
  /// Whether a part of the picture is missing or broken.
  public var damaged: Bool
  /// The camera’s maker.
  public var cameraMake: String?
  /// The camera’s model.
  public var cameraModel: String?
  /// Degrees north.
  public var latitude: Double?
  /// Degrees east.
  public var longitude: Double?

  /// What is known of an original.
  public init(
    format: String, width: Int, height: Int, byteSize: Int, taken: Moment? = nil,
    damaged: Bool = false, cameraMake: String? = nil, cameraModel: String? = nil,
    latitude: Double? = nil, longitude: Double? = nil
  ) {
    (self.format, self.width, self.height, self.byteSize) = (format, width, height, byteSize)
    (self.taken, self.damaged) = (taken, damaged)
    (self.cameraMake, self.cameraModel) = (cameraMake, cameraModel)
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}

/// What a camera wrote about a picture: its orientation, date, maker and position.
///
/// Format: EXIF 3.0 (CIPA DC-008), which stores its fields as TIFF 6.0 does. Only the first
/// directory and the EXIF and GPS directories that it points to are read, each once, so that no
/// link can lead in circles. The thumbnail's directory and the maker note are not looked at.
///
/// What is broken costs its own value and nothing else.
package struct EXIF: Sendable, Equatable {
  /// A place on Earth, in degrees of the WGS 84 system.
  package struct Position: Sendable, Equatable {
    /// North is positive, -90 to 90.
    package let latitude: Double
    /// East is positive, -180 to 180.
    package let longitude: Double
  }

  /// How the stored pixels have to be turned to stand upright, 1 to 8; nil where nothing valid is said.
  package var orientation: Int? {
    storedOrientation.flatMap { (1...8).contains($0) ? $0 : nil }
  }

  /// The orientation as written, valid or not.
  package let storedOrientation: Int?

  /// DateTimeOriginal, else DateTimeDigitized; DateTime, which editors change, does not count.
  package let captureDate: CaptureDate?

  /// The maker of the camera.
  package let make: String?

  /// The model of the camera.
  package let model: String?

  /// Where the picture was taken, when both coordinates are complete and within range.
  package let position: Position?

  /// Reads a TIFF block; nil when it is none.
  ///
  /// A file may hold several blocks; the one that counts is the first for which this is not nil:
  /// - JPEG: of all APP1 segments that begin with `Exif`, 0, 0, in file order, up to the first
  ///   start of scan, whether before or after the frame header. `block` is what follows these six
  ///   bytes.
  /// - PNG: of all `eXIf` chunks in file order, also those after the image data. `block` is the
  ///   chunk's content.
  package init?(block: Span<UInt8>) {
    // Some PNG writers keep the six bytes with which a JPEG segment begins.
    let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    let isPrefixed = block.count >= 6 && prefix.indices.allSatisfy { block[$0] == prefix[$0] }
    let tiff = isPrefixed ? block.extracting(droppingFirst: 6) : block

    guard
      let order = Self.byteOrder(of: tiff), tiff.uint16(at: 2, order) == 42,
      let start = tiff.uint32(at: 4, order)
    else { return nil }
    let main = Directory(of: tiff, at: start, order)
    let exif = Directory(of: tiff, at: main.link(.exifDirectory, in: tiff), order)
    let gps = Directory(of: tiff, at: main.link(.gpsDirectory, in: tiff), order)

    storedOrientation = main.integer(.orientation, in: tiff)
    make = main.string(.make, in: tiff)
    model = main.string(.model, in: tiff)
    captureDate =
      exif.captureDate(
        .dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal, in: tiff, field: .original)
      ?? exif.captureDate(
        .dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized, in: tiff, field: .digitized)
    position = gps.position(in: tiff)
  }

  private static func byteOrder(of tiff: Span<UInt8>) -> ByteOrder? {
    switch tiff.uint16(at: 0) {
    case 0x4949: .littleEndian  // "II"
    case 0x4D4D: .bigEndian  // "MM"
    default: nil
    }
  }
}

private struct Tag: Equatable {
  let number: Int

  static let make = Tag(number: 0x010F)
  static let model = Tag(number: 0x0110)
  static let orientation = Tag(number: 0x0112)
  static let exifDirectory = Tag(number: 0x8769)
  static let gpsDirectory = Tag(number: 0x8825)

  static let dateTimeOriginal = Tag(number: 0x9003)
  static let dateTimeDigitized = Tag(number: 0x9004)
  static let offsetTimeOriginal = Tag(number: 0x9011)
  static let offsetTimeDigitized = Tag(number: 0x9012)
  static let subSecTimeOriginal = Tag(number: 0x9291)
  static let subSecTimeDigitized = Tag(number: 0x9292)

  static let latitudeReference = Tag(number: 1)
  static let latitude = Tag(number: 2)
  static let longitudeReference = Tag(number: 3)
  static let longitude = Tag(number: 4)
}

/// The field types that are read here: of TIFF 6.0, and of EXIF 3.0 for texts beyond ASCII.
private enum FieldType: Int {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case utf8 = 129

  var size: Int {
    switch self {
    case .byte, .ascii, .utf8: 1
    case .short: 2
    case .long: 4
    case .rational: 8
    }
  }
}

/// The readable fields of one image file directory.
private struct Directory {
  private struct Field {
    let tag: Tag
    let type: FieldType
    let count: Int
    /// Where the values begin; all of them lie within the block.
    let start: Int
  }

  /// Cameras write fewer than 100.
  private static let limit = 1000

  private let start: Int
  private let order: ByteOrder
  private var fields: [Field] = []

  /// Reads up to the claimed number of fields, as far as the block goes; none where there is no link.
  init(of tiff: Span<UInt8>, at start: Int?, _ order: ByteOrder) {
    self.start = start ?? 0
    self.order = order
    guard let start, let count = tiff.uint16(at: start, order) else { return }
    for index in 0..<min(count, Self.limit) {
      let entry = start + 2 + index * 12
      guard
        let tag = tiff.uint16(at: entry, order), let type = tiff.uint16(at: entry + 2, order),
        let count = tiff.uint32(at: entry + 4, order),
        let link = tiff.uint32(at: entry + 8, order)
      else { return }
      guard let type = FieldType(rawValue: type), count > 0 else { continue }
      let size = count * type.size  // At most 2^35.
      let first = size <= 4 ? entry + 8 : link
      guard first <= tiff.count - size else { continue }
      fields.append(Field(tag: Tag(number: tag), type: type, count: count, start: first))
    }
  }

  /// The first field of that name counts, and any other is passed over.
  private func field(_ tag: Tag) -> Field? { fields.first { $0.tag == tag } }

  /// An integer; the width in which it was written does not matter.
  func integer(_ tag: Tag, in tiff: Span<UInt8>) -> Int? {
    guard let field = field(tag) else { return nil }
    return switch field.type {
    case .byte: Int(tiff[field.start])
    case .short: tiff.uint16(at: field.start, order)
    case .long: tiff.uint32(at: field.start, order)
    case .ascii, .rational, .utf8: nil
    }
  }

  /// Where another directory begins; a link back to this one is none.
  func link(_ tag: Tag, in tiff: Span<UInt8>) -> Int? {
    guard field(tag)?.type == .long, let link = integer(tag, in: tiff) else { return nil }
    return link == start ? nil : link
  }

  /// The bytes of a text up to its NUL, without the spaces that pad it at the end.
  func text(_ tag: Tag, in tiff: Span<UInt8>) -> [UInt8]? {
    guard let field = field(tag), [.ascii, .utf8].contains(field.type) else { return nil }
    var bytes: [UInt8] = []
    // Longer than any text that is of use; it bounds what a hostile file makes us keep.
    for index in field.start..<field.start + min(field.count, 256) {
      guard tiff[index] != 0 else { break }
      bytes.append(tiff[index])
    }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    return bytes
  }

  /// A text for people, nil when blank; bytes that are not UTF-8 become replacement characters.
  func string(_ tag: Tag, in tiff: Span<UInt8>) -> String? {
    guard let bytes = text(tag, in: tiff), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func captureDate(
    _ dateTime: Tag, _ subSeconds: Tag, _ offset: Tag, in tiff: Span<UInt8>,
    field: CaptureDate.Field
  ) -> CaptureDate? {
    guard let dateTime = text(dateTime, in: tiff) else { return nil }
    return CaptureDate(
      dateTime: dateTime, subSeconds: text(subSeconds, in: tiff), offset: text(offset, in: tiff),
      field: field)
  }

  func position(in tiff: Span<UInt8>) -> EXIF.Position? {
    guard
      let latitude = coordinate(.latitude, .latitudeReference, "N", "S", limit: 90, in: tiff),
      let longitude = coordinate(.longitude, .longitudeReference, "E", "W", limit: 180, in: tiff)
    else { return nil }
    return EXIF.Position(latitude: latitude, longitude: longitude)
  }

  /// Degrees, minutes and seconds as one signed number of degrees.
  private func coordinate(
    _ tag: Tag, _ reference: Tag, _ positive: Unicode.Scalar, _ negative: Unicode.Scalar,
    limit: Double, in tiff: Span<UInt8>
  ) -> Double? {
    guard let field = field(tag), field.type == .rational, field.count == 3 else { return nil }
    var degrees = 0.0
    for (index, unit) in [1.0, 60, 3600].enumerated() {
      guard
        let numerator = tiff.uint32(at: field.start + index * 8, order),
        let denominator = tiff.uint32(at: field.start + index * 8 + 4, order), denominator > 0
      else { return nil }
      let part = Double(numerator) / Double(denominator)
      guard unit == 1 || part <= 60 else { return nil }
      degrees += part / unit
    }
    guard degrees <= limit, let sign = text(reference, in: tiff) else { return nil }
    switch sign {
    case [UInt8(ascii: positive)]: return degrees
    case [UInt8(ascii: negative)]: return -degrees
    default: return nil
    }
  }
}

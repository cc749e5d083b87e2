import FoundationEssentials
public import QueryLanguage

extension Note: Query.Model {
  /// The fields of a note.
  public static var entity: Query.Entity { Catalog.note }

  /// What `#Predicate<Note>` and `SortDescriptor<Note>` can be about.
  public static var fieldNames: [PartialKeyPath<Note>: String] {
    [
      \.text: "text", \.memo: "memo", \.label: "label", \.tags: "tags", \.favorite: "favorite",
      \.date: "date", \.createdAt: "createdAt", \.modifiedAt: "modifiedAt",
      \.photoCount: "photoCount", \.photos: "photos",
    ]
  }
}

extension Photo: Query.Model {
  /// The fields of a photo.
  public static var entity: Query.Entity { Catalog.photo }

  /// What `#Predicate<Photo>` and `SortDescriptor<Photo>` can be about.
  public static var fieldNames: [PartialKeyPath<Photo>: String] {
    [
      \.filename: "filename", \.format: "format", \.width: "width", \.height: "height",
      \.byteSize: "byteSize", \.takenAt: "takenAt", \.position: "position", \.damaged: "damaged",
      \.cameraMake: "cameraMake", \.cameraModel: "cameraModel", \.latitude: "latitude",
      \.longitude: "longitude",
    ]
  }
}

extension Note: Query.Record {
  /// What is under a field of `Catalog.note`, so that predicates hold in memory as in the archive.
  public func value(for field: String) -> Query.RecordValue {
    switch field {
    case "id": .value(.string(id.description))
    case "text": .value(.string(text))
    case "memo": .value(Query.Value(memo))
    case "label": .value(Query.Value(label))
    case "tags": .values(tags.map { .string($0) })
    case "favorite": .value(.bool(favorite))
    case "date": .value(.date(Query.Instant(milliseconds: moment.milliseconds)))
    case "localDate": .value(.date(Query.Instant(milliseconds: moment.wallMilliseconds)))
    case "createdAt": .value(.date(Query.Instant(createdAt)))
    case "modifiedAt": .value(.date(Query.Instant(modifiedAt)))
    case "photoCount": .value(.integer(Int64(photoCount)))
    case "photos": .records(photos.map { PhotoRecord(photo: $0, note: self) })
    default: preconditionFailure("The catalog has a field “\(field)” that notes lack.")
    }
  }
}

/// A photo that knows which note it is on.
private struct PhotoRecord: Query.Record {
  let photo: Photo
  let note: Note

  func value(for field: String) -> Query.RecordValue {
    switch field {
    case "filename": .value(.string(photo.filename))
    case "digest": .value(.string(photo.digest.description))
    case "format": .value(.string(photo.format))
    case "width": .value(.integer(Int64(photo.width)))
    case "height": .value(.integer(Int64(photo.height)))
    case "byteSize": .value(.integer(Int64(photo.byteSize)))
    case "takenAt":
      .value(
        photo.properties.taken.map { .date(Query.Instant(milliseconds: $0.milliseconds)) } ?? .null)
    case "position": .value(.integer(Int64(photo.position)))
    case "damaged": .value(.bool(photo.damaged))
    case "cameraMake": .value(Query.Value(photo.cameraMake))
    case "cameraModel": .value(Query.Value(photo.cameraModel))
    case "latitude": .value(photo.latitude.map { .double($0) } ?? .null)
    case "longitude": .value(photo.longitude.map { .double($0) } ?? .null)
    case "note": .record(note)
    default: preconditionFailure("The catalog has a field “\(field)” that photos lack.")
    }
  }
}

extension Query.Value {
  fileprivate init(_ text: String?) { self = text.map { .string($0) } ?? .null }
}

extension Query.Instant {
  fileprivate init(milliseconds: Int) { self.init(millisecondsSince1970: Int64(milliseconds)) }
}

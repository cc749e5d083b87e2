import FoundationEssentials
import QueryLanguage

/// A note of the conformance data, as a record in memory.
struct TestNote: Sendable, Query.Record {
  var id: String
  var text: String
  var memo: String?
  var label: String?
  var tags: [String]
  var favorite: Bool
  var date: Query.Instant
  var createdAt: Query.Instant
  var photos: [TestPhoto]

  func value(for field: String) -> Query.RecordValue {
    switch field {
    case "id": .value(.string(id))
    case "text": .value(.string(text))
    case "memo": .value(memo.map { .string($0) } ?? .null)
    case "label": .value(label.map { .string($0) } ?? .null)
    case "tags": .values(tags.map { .string($0) })
    case "favorite": .value(.bool(favorite))
    case "date": .value(.date(date))
    case "createdAt": .value(.date(createdAt))
    case "photoCount": .value(.integer(Int64(photos.count)))
    case "photos": .records(photos.map { RelatedPhoto(photo: $0, note: self) })
    default: preconditionFailure("a note has no \(field)")
    }
  }
}

struct TestPhoto: Sendable {
  var filename: String
  var width: Int64
  var height: Int64
  var byteSize: Int64
  var takenAt: Query.Instant?
  var format: String
}

/// A photo that knows its note.
struct RelatedPhoto: Sendable, Query.Record {
  var photo: TestPhoto
  var note: TestNote

  func value(for field: String) -> Query.RecordValue {
    switch field {
    case "filename": .value(.string(photo.filename))
    case "width": .value(.integer(photo.width))
    case "height": .value(.integer(photo.height))
    case "byteSize": .value(.integer(photo.byteSize))
    case "takenAt": .value(photo.takenAt.map { .date($0) } ?? .null)
    case "format": .value(.string(photo.format))
    case "note": .record(note)
    default: preconditionFailure("a photo has no \(field)")
    }
  }
}

/// An instant as ISO 8601 has it, with or without a fraction of a second.
struct ISO8601: Decodable {
  var instant: Query.Instant

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    instant = Query.Instant(try Date(text, strategy: style))
  }
}

extension TestNote: Decodable {
  private enum Keys: String, CodingKey {
    case id, text, memo, label, tags, favorite, date, createdAt, photos
  }

  init(from decoder: any Decoder) throws {
    let note = try decoder.container(keyedBy: Keys.self)
    id = try note.decode(String.self, forKey: .id)
    text = try note.decode(String.self, forKey: .text)
    memo = try note.decodeIfPresent(String.self, forKey: .memo)
    label = try note.decodeIfPresent(String.self, forKey: .label)
    tags = try note.decode([String].self, forKey: .tags)
    favorite = try note.decode(Bool.self, forKey: .favorite)
    date = try note.decode(ISO8601.self, forKey: .date).instant
    createdAt = try note.decode(ISO8601.self, forKey: .createdAt).instant
    photos = try note.decode([TestPhoto].self, forKey: .photos)
  }
}

extension TestPhoto: Decodable {
  private enum Keys: String, CodingKey { case filename, width, height, byteSize, takenAt, format }

  init(from decoder: any Decoder) throws {
    let photo = try decoder.container(keyedBy: Keys.self)
    filename = try photo.decode(String.self, forKey: .filename)
    width = try photo.decode(Int64.self, forKey: .width)
    height = try photo.decode(Int64.self, forKey: .height)
    byteSize = try photo.decode(Int64.self, forKey: .byteSize)
    takenAt = try photo.decodeIfPresent(ISO8601.self, forKey: .takenAt)?.instant
    format = try photo.decode(String.self, forKey: .format)
  }
}

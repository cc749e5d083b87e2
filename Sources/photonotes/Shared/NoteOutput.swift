import NoteArchive
import Terminal

extension JSONObject {
  /// A note with the keys that predicates use.
  init(_ note: Note) {
    self = [
      "type": "note", "id": .string(note.id.description), "text": .string(note.text),
      "memo": JSONValue(note.memo), "label": JSONValue(note.label), "tags": JSONValue(note.tags),
      "favorite": JSONValue(note.favorite), "date": .string(note.moment.description),
      "createdAt": .string(Moment(note.createdAt, utcOffset: 0).description),
      "modifiedAt": .string(Moment(note.modifiedAt, utcOffset: 0).description),
      "photoCount": JSONValue(note.photoCount),
      "photos": JSONValue(note.photos.map { JSONObject($0) }),
    ]
  }

  /// A photo as a row of its own.
  init(_ photo: Photo, of note: NoteID) {
    self = ["type": "photo", "note": .string(note.description)]
    for member in JSONObject(photo).members { self[member.key] = member.value }
  }

  private init(_ photo: Photo) {
    self = [
      "filename": .string(photo.filename), "digest": .string(photo.digest.description),
      "format": .string(photo.format), "width": JSONValue(photo.width),
      "height": JSONValue(photo.height), "byteSize": JSONValue(photo.byteSize),
      "takenAt": JSONValue(photo.properties.taken?.description),
      "position": JSONValue(photo.position), "damaged": JSONValue(photo.damaged),
      "cameraMake": JSONValue(photo.cameraMake), "cameraModel": JSONValue(photo.cameraModel),
      "latitude": JSONValue(photo.latitude), "longitude": JSONValue(photo.longitude),
    ]
  }
}

extension NoteID {
  /// As much of the id as tells it from others that people meet: its time and its counter.
  var shortText: String { String(description.prefix(18)) }
}

extension Note {
  var shortID: String { id.shortText }

  /// The note on one line of a list.
  func line(width: Int?) -> String {
    let photos = photoCount == 0 ? "" : counted(photoCount, "photo")
    let marks = [label.map { "[\($0)]" }, text.isEmpty ? nil : text] + tags.map { "#\($0)" }
    let words = printable(marks.compactMap(\.self).joined(separator: " "))
    let line = [
      shortID, String(moment.description.prefix(16)).replacing("T", with: " "),
      favorite ? "★" : " ", String(repeating: " ", count: max(0, 9 - photos.count)) + photos, words,
    ].joined(separator: "  ")
    return width.map { truncated(line, to: $0) } ?? line
  }

  /// All of the note, for `show`.
  var lines: [String] {
    var fields: [(String, String)] = [
      ("id", id.description), ("date", "\(moment.description)  (\(dateSource.rawValue))"),
    ]
    if favorite { fields.append(("favorite", "★")) }
    if let label { fields.append(("label", label)) }
    if !tags.isEmpty { fields.append(("tags", tags.joined(separator: ", "))) }
    if !text.isEmpty { fields.append(("text", text)) }
    if let memo { fields.append(("memo", memo)) }
    if deletedAt != nil { fields.append(("", "in the trash")) }
    let head = fields.map { name, value in
      name + String(repeating: " ", count: 10 - name.count)
        + printable(value, keepingLines: true).replacing("\n", with: "\n          ")
    }
    return head + photos.flatMap(\.lines)
  }
}

extension Photo {
  /// The photo on one line of a list.
  func line(of note: NoteID, width: Int?) -> String {
    let taken = String((properties.taken?.description ?? "").prefix(16)).replacing("T", with: " ")
    let size = "\(self.width) × \(height)"
    let line = [
      note.shortText, String(position), taken + String(repeating: " ", count: 16 - taken.count),
      size + String(repeating: " ", count: max(0, 13 - size.count)), printable(filename),
    ].joined(separator: "  ")
    return width.map { truncated(line, to: $0) } ?? line
  }

  fileprivate var lines: [String] {
    let size = "\(width) × \(height) \(format), \(ByteCount(byteSize))"
    let camera = [cameraMake, cameraModel].compactMap(\.self).joined(separator: " ")
    let position = latitude.flatMap { latitude in longitude.map { "\(latitude), \($0)" } }
    let details = [
      properties.taken?.description, camera.isEmpty ? nil : camera, position,
      damaged ? "damaged" : nil,
    ].compactMap(\.self).joined(separator: " · ")
    let number = String(self.position)
    return [
      "\(number)\(String(repeating: " ", count: max(1, 4 - number.count)))\(printable(filename))  \(size)",
      details.isEmpty ? nil : "    " + printable(details), "    \(digest)",
    ].compactMap(\.self)
  }
}

import FoundationEssentials
import NoteArchive

/// A note as an export describes it in `note.json`: all that the archive knows of it, so that an
/// import can make the same note again.
struct NoteDescription: Codable, Equatable {
  struct Photo: Codable, Equatable {
    var file: String
    var filename: String
    var digest: String
  }

  var id: String
  var text: String
  var memo: String?
  var label: String?
  var tags: [String]
  var favorite: Bool
  /// ISO 8601 with the offset where it is known.
  var date: String
  var dateSource: String
  var createdAt: String
  var modifiedAt: String
  /// In order.
  var photos: [Photo]

  /// Describes a note whose photos are in `files`.
  init(_ note: Note, files: [String]) {
    (id, text, memo, label) = (note.id.description, note.text, note.memo, note.label)
    (tags, favorite) = (note.tags, note.favorite)
    (date, dateSource) = (note.moment.description, note.dateSource.rawValue)
    createdAt = Moment(note.createdAt, utcOffset: 0).description
    modifiedAt = Moment(note.modifiedAt, utcOffset: 0).description
    photos = zip(note.photos, files).map {
      Photo(file: $1, filename: $0.filename, digest: $0.digest.description)
    }
  }

  /// Whether `file` describes the note `id`, as an export before a change of the note left it.
  static func isDescription(_ file: SourceFile, ofNote id: NoteID) throws -> Bool {
    struct Identity: Decodable { var id: String }
    let longest = 1 << 26  // A note's text has no limit; what a stranger's file may cost has one.
    guard file.size <= longest else { return false }
    let bytes = try file.bytes(in: 0..<file.size)
    let found = try? JSONDecoder().decode(Identity.self, from: Data(bytes))
    return found?.id == id.description
  }

  /// The bytes of the file: the same for the same note.
  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

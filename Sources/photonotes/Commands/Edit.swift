import ArchiveJobs
import NoteArchive
import QueryLanguage
import Terminal

/// Changes notes.
struct Edit: Command, Equatable {
  var notes: [String] = []
  var predicate = Formats()
  var text: String?
  var memo: String?
  var label: String?
  var date: Moment?
  var favorite: Bool?
  var addedTags: [String] = []
  var removedTags: [String] = []
  var addedPhotos: [Argument] = []
  var removedPhotos: [Int] = []
  var movedPhoto: Int?
  var destination: Int?

  static let name = "edit"
  static let summary = "Change notes"
  static let discussion = """
    The notes are named by the beginnings of their ids, or selected by “--where”: the other options \
    say what is to change. An empty “--memo” or “--label” takes it away.
    """
  static let examples = [
    Example("photonotes edit 019a4c --favorite --add-tag glaze", "One note"),
    Example("photonotes edit --where 'label == \"test\"' --label trial", "All that have a label"),
  ]
  static let options: [Option<Self>] =
    Formats.options.at(\.predicate, heading: "Filters") + [
      .string("--text", "TEXT", "The note itself", \.text),
      .string("--memo", "MEMO", "The remark", \.memo),
      .string("--label", "LABEL", "The label", \.label),
      .value("--date", "DATE", "The date", \.date, read: Moment.read),
      .flag("--favorite", "Mark as favorites", \.favorite, sets: true).alias("--favourite"),
      .flag("--no-favorite", "Take the mark away", \.favorite, sets: false)
        .alias("--no-favourite"),
      .strings("--add-tag", "TAG", "Add a tag; may be repeated", \.addedTags),
      .strings("--remove-tag", "TAG", "Take a tag away; may be repeated", \.removedTags),
      .raws("--add-photo", "PATH", "Add a photo at the end; may be repeated", \.addedPhotos) { $0 },
      .values(
        "--remove-photo", "N", "Take the Nth photo away; may be repeated", \.removedPhotos,
        read: photoNumber),
      .integer("--move-photo", "N", in: 1 ... .max, "Move the Nth photo", \.movedPhoto),
      .integer("--to", "M", in: 1 ... .max, "Where “--move-photo” moves it", \.destination),
    ]
  static let positionals: [Positional<Self>] = [
    .many("NOTE", "The beginnings of ids", \.notes)
  ]

  func validate() throws(UsageError) {
    try Targets.validate(notes: notes, isFiltered: !predicate.isEmpty)
    if (movedPhoto == nil) != (destination == nil) {
      throw UsageError(
        "“--move-photo” and “--to” go together.",
        remedy: "Give both, as in “--move-photo 3 --to 1”.")
    }
    var untouched = Edit()
    (untouched.notes, untouched.predicate) = (notes, predicate)
    if self == untouched {
      throw UsageError("Nothing is to change.", remedy: "Say what, as with “--favorite”.")
    }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    let ids = try archive.ids(notes, or: try predicate.predicate(for: Catalog.note))
    let arePhotosMeant = !removedPhotos.isEmpty || movedPhoto != nil || !addedPhotos.isEmpty
    if arePhotosMeant, ids.count != 1 {
      throw UsageError(
        "Photos are changed on one note at a time, and \(ids.count) are selected.",
        remedy: "Name one note.")
    }
    if let id = ids.first, let note = try archive.note(id) { try checkPhotos(of: note) }
    let count = try archive.edit(ids, change)
    var status = ExitStatus.success
    if let id = ids.first, !addedPhotos.isEmpty {
      var job = ImportJob(paths: addedPhotos.map { FilePath(bytes: $0.bytes) })
      (job.grouping, job.existingNote) = (.all, id)
      (job.keepsDuplicates, job.requiresAll) = (true, true)
      status = try await session.run(job, on: archive)
    }
    session.printSummary(
      ["type": "summary", "notes": JSONValue(count)], ["Changed \(counted(count, "note"))."])
    return status
  }

  private static func photoNumber(_ text: String) throws(InvalidValue) -> Int {
    guard let number = Int(text), number >= 1 else {
      throw InvalidValue(expected: "a photo’s number, from 1")
    }
    return number
  }

  private func checkPhotos(of note: Note) throws(UsageError) {
    for number in removedPhotos + [movedPhoto, destination].compactMap(\.self)
    where number > note.photos.count {
      throw UsageError(
        "The note has \(counted(note.photos.count, "photo")); there is no photo \(number).",
        remedy: "See them with “photonotes show \(note.shortID)”.")
    }
  }

  /// Makes the changes that are asked for, photos that are added aside.
  func change(_ note: inout Note) {
    if let text { note.text = text }
    if let memo { note.memo = memo.isEmpty ? nil : memo }
    if let label { note.label = label.isEmpty ? nil : label }
    if let date { (note.moment, note.dateSource) = (date, .given) }
    if let favorite { note.favorite = favorite }
    note.tags.removeAll { removedTags.contains($0) }
    for tag in addedTags where !note.tags.contains(tag) { note.tags.append(tag) }
    if let movedPhoto, let destination {
      let photo = note.photos.remove(at: movedPhoto - 1)
      note.photos.insert(photo, at: destination - 1)
    }
    note.photos.removeAll { removedPhotos.contains($0.position) }
    for index in note.photos.indices { note.photos[index].position = index + 1 }
  }
}

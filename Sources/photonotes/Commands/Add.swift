import ArchiveJobs
import NoteArchive
import Terminal

/// Makes one note from photos.
struct Add: Command, Equatable {
  var paths: [Argument] = []
  var text = ""
  var memo: String?
  var label: String?
  var tags: [String] = []
  var date: Moment?
  var favorite = false

  static let name = "add"
  static let summary = "Make one note from photos, in the order given"
  static let examples = [
    Example("photonotes add --text \"Glaze test 12\" front.jpg back.jpg", "Two photos, one note")
  ]
  static let options: [Option<Self>] = [
    .string("--text", "TEXT", "The note itself", \.text),
    .string("--memo", "MEMO", "A remark", \.memo),
    .string("--label", "LABEL", "Its label", \.label),
    .strings("--tag", "TAG", "A tag; may be repeated", \.tags),
    .value(
      "--date", "DATE", "Its date (else that of its earliest photo)", \.date, read: Moment.read),
    .flag("--favorite", "Mark it as a favorite", \.favorite).alias("--favourite"),
  ]
  static let positionals: [Positional<Self>] = [.many("PHOTO", "Files", \.paths) { $0 }]

  func validate() throws(UsageError) {
    if paths.isEmpty && text.isEmpty && memo == nil {
      throw UsageError("The note would be empty.", remedy: "Name photos, or give a “--text”.")
    }
  }

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archiveMadeIfNeeded()
    guard !paths.isEmpty else {
      let note = Note(
        text: text, memo: memo, label: label, tags: tags, favorite: favorite,
        moment: date ?? .now, dateSource: date == nil ? .now : .given)
      try archive.save(note)
      session.printSummary(
        ["type": "summary", "id": .string(note.id.description)], ["Added \(note.shortID)."])
      return .success
    }
    var job = ImportJob(paths: paths.map { FilePath(bytes: $0.bytes) })
    job.grouping = .all
    (job.text, job.memo, job.label, job.tags) = (text, memo, label, tags)
    (job.date, job.favorite) = (date, favorite)
    (job.keepsDuplicates, job.requiresAll) = (true, true)
    return try await session.run(job, on: archive)
  }
}

extension Moment {
  /// Reads a date as a person gives it.
  static func read(_ text: String) throws(InvalidValue) -> Moment {
    guard let moment = Moment(iso8601: text) else {
      throw InvalidValue(expected: "a date like 2024-05-31 or 2024-05-31T18:30+09:00")
    }
    return moment
  }
}

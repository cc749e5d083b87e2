import NoteArchive
import QueryLanguage
import Terminal

/// Lists photos, each a row of its own.
struct Photos: Command, Equatable {
  var filter = Filter()
  var sort: [Query.SortDescriptor] = PhotoQuery().sortDescriptors
  var limit: Int?
  var isExplained = false

  static let name = "photos"
  static let summary = "List photos"
  static let discussion = """
    “--where” and “--sort” are about photos and, after “note.”, about the notes that they are on; \
    the other filters select notes.
    """
  static let examples = [
    Example("photonotes photos --where 'width > 4000 AND note.favorite == YES'", "Large ones"),
    Example("photonotes photos --tag glaze --sort byteSize:desc", "Of notes with a tag"),
  ]
  static let options: [Option<Self>] =
    Filter.options.at(\.filter, heading: "Filters") + [
      .value("--sort", "KEYS", "Such as takenAt:desc,filename:asc", \.sort) {
        try Query.SortDescriptor.parse($0, on: Catalog.photo)
      },
      .integer("--limit", "N", in: 0 ... .max, "At most this many", \.limit).alias("-n"),
      .flag("--explain", "Print how they are found, and nothing else", \.isExplained),
    ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    var notes = filter
    notes.formats = Formats()
    let query = PhotoQuery(
      try filter.formats.predicate(for: Catalog.photo), onNotes: try notes.predicate(),
      sortedBy: sort, limit: limit)
    if isExplained { return try session.explain(query, in: archive) }
    let console = session.console
    let width = console.output.isTerminal ? console.output.width : nil
    var count = 0
    do {
      try archive.forEachPhoto(query) { note, photo throws(OutputClosed) in
        guard !console.outputIsClosed else { throw OutputClosed() }
        count += 1
        if session.isJSON {
          console.print(JSONObject(photo, of: note))
        } else {
          console.print(photo.line(of: note, width: width))
        }
      }
    } catch is OutputClosed {
      return .success
    }
    if session.isJSON {
      console.print(["type": "summary", "photos": JSONValue(count)])
    } else {
      console.notice(counted(count, "photo"))
    }
    return .success
  }

  /// Nobody reads the list any more.
  private struct OutputClosed: Error {}
}

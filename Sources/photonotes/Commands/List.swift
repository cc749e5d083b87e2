import NoteArchive
import Terminal

/// Lists notes, and may stay to tell what changes.
struct List: Command, Equatable {
  var selection = Selection()
  var isTrash = false
  var grouping: Grouping?
  var follows = false

  /// What `--group-by` takes.
  enum Grouping: String, CaseIterable {
    case day, month, year, label

    var key: SectionKey {
      switch self {
      case .day: .day
      case .month: .month
      case .year: .year
      case .label: .label
      }
    }
  }

  static let name = "list"
  static let summary = "List notes"
  static let discussion = """
    With --follow the list stays live: after the notes come lines with “+” for a note that enters \
    the list, “-” for one that leaves it, and “~” for one that has changed or moved. The notes are \
    held in memory; Ctrl-C ends it.
    """
  static let examples = [
    Example("photonotes list --text rain --favorite", "Favorites that mention rain"),
    Example("photonotes list --from 2024-05 --sort date:asc", "Since May 2024, oldest first"),
    Example("photonotes list --on 2024 --group-by month", "A year, month by month"),
    Example("photonotes list --label todo --follow", "What is to do, as it changes"),
  ]
  static let options: [Option<Self>] =
    Selection.options.at(\.selection) + [
      .flag("--trash", "Of what was deleted", \.isTrash),
      .choice("--group-by", "KEY", "Under headings: day, month, year or label", \.grouping),
      .flag("--follow", "Stay, and print what changes", \.follows),
    ]

  func run(in session: Session) async throws -> ExitStatus {
    let archive = try session.archive()
    if selection.isExplained {
      var query = try selection.query()
      if isTrash { query.place = .trash }
      return try session.explain(query, in: archive)
    }
    let request = FetchRequest(
      isTrash ? .trash : .notes, where: try selection.filter.predicate(),
      sortedBy: selection.sort, limit: selection.limit, groupedBy: grouping?.key)
    var printer = NoteListPrinter(session, isGrouped: grouping != nil)
    if follows { return try await printer.follow(FetchedResults(request, in: archive)) }
    do {
      try archive.forEach(of: request) { note, section in
        guard !session.console.outputIsClosed else { throw OutputClosed() }
        printer.print(note, in: section)
      }
    } catch is OutputClosed {
      return .success
    }
    printer.printSummary()
    return .success
  }

  /// Nobody reads the list any more.
  private struct OutputClosed: Error {}
}

import NoteArchive
import Terminal

/// The notes that a command changes: named one by one, or selected by filters.
struct Targets: Equatable {
  var notes: [String] = []
  var filter = Filter()

  static let options: [Option<Self>] = Filter.options.at(\.filter, heading: "Filters")

  func validate() throws(UsageError) {
    if notes.isEmpty && filter.isEmpty {
      throw UsageError(
        "No note is named, and no filter is given.",
        remedy: "Name notes by the beginning of their ids, or select some, as with “--text WORD”.")
    }
    if !notes.isEmpty && !filter.isEmpty {
      throw UsageError("Notes are both named and filtered for.", remedy: "Do one of the two.")
    }
  }

  /// The ids of the notes.
  func ids(
    in archive: Archive, place: NoteQuery.Place = .archive
  ) throws(ArchiveError) -> [NoteID] {
    guard notes.isEmpty else {
      var ids: [NoteID] = []
      for prefix in notes {
        let id = try archive.id(beginningWith: prefix, in: place)
        if !ids.contains(id) { ids.append(id) }
      }
      return ids
    }
    return try archive.ids(of: NoteQuery(filter.predicate, in: place))
  }
}

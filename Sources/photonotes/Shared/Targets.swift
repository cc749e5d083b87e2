import NoteArchive
import QueryLanguage
import Terminal

/// The notes that a command changes: named one by one, or selected by filters.
struct Targets: Equatable {
  var notes: [String] = []
  var filter = Filter()

  static let options: [Option<Self>] = Filter.options.at(\.filter, heading: "Filters")

  func validate() throws(UsageError) {
    try Self.validate(notes: notes, isFiltered: !filter.isEmpty)
  }

  /// Refuses notes both named and selected, and neither.
  static func validate(notes: [String], isFiltered: Bool) throws(UsageError) {
    if notes.isEmpty && !isFiltered {
      throw UsageError(
        "No note is named, and no filter is given.",
        remedy: "Name notes by the beginning of their ids, or select some, as with “--text WORD”.")
    }
    if !notes.isEmpty && isFiltered {
      throw UsageError("Notes are both named and filtered for.", remedy: "Do one of the two.")
    }
  }

  /// The ids of the notes.
  func ids(in archive: Archive, place: NoteQuery.Place = .archive) throws -> [NoteID] {
    try archive.ids(notes, or: try filter.predicate(), in: place)
  }
}

extension Archive {
  /// The ids that begin with `prefixes` or, without any, those of the notes a predicate holds for.
  func ids(
    _ prefixes: [String], or predicate: Query.Predicate, in place: NoteQuery.Place = .archive
  ) throws(ArchiveError) -> [NoteID] {
    if prefixes.isEmpty { return try ids(of: NoteQuery(predicate, in: place)) }
    var ids: [NoteID] = []
    for prefix in prefixes {
      let id = try id(beginningWith: prefix, in: place)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }
}

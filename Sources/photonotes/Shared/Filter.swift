import NoteArchive
import QueryLanguage
import Terminal

/// Which notes a command is about: the same options wherever notes are selected.
struct Filter: Equatable {
  var formats = Formats()
  var text: [String] = []
  var tags: [String] = []
  var label: String?
  var from: DayRange?
  var to: DayRange?
  var on: DayRange?
  var favorite: Bool?

  static let options: [Option<Self>] =
    Formats.options.at(\.formats) + [
      .strings("--text", "WORD", "In text, memo, label, a tag or a file name", \.text),
      .strings("--tag", "TAG", "With this tag", \.tags),
      .string("--label", "LABEL", "With this label", \.label),
      .value("--from", "DATE", "On this day, month or year, or later", \.from, read: DayRange.init),
      .value("--to", "DATE", "On this day, month or year, or earlier", \.to, read: DayRange.init),
      .value(
        "--on", "DATE", "In it: 2024, 2024-05, 2024-05-31, today, 7d", \.on, read: DayRange.init),
      .flag("--favorite", "Favorites only", \.favorite, sets: true).alias("--favourite"),
      .flag("--no-favorite", "No favorites", \.favorite, sets: false).alias("--no-favourite"),
    ]

  var isEmpty: Bool { self == Filter() }

  /// All of what was asked for.
  func predicate() throws -> Query.Predicate {
    var parts = formats.isEmpty ? [] : [try formats.predicate(for: Catalog.note)]
    parts += text.map(Catalog.mentions)
    parts += tags.map { .anyEqual("tags", .string($0)) }
    if let label { parts.append(.equal("label", .string(label))) }
    for range in [on, from.map(\.onwards), to.map(\.upTo)] {
      if let range { parts.append(range.predicate) }
    }
    if let favorite { parts.append(.equal("favorite", .bool(favorite))) }
    return .all(parts)
  }
}

/// The order and number of the notes that a command gives.
struct Selection: Equatable {
  var filter = Filter()
  var sort: [Query.SortDescriptor] = [.init("date", ascending: false)]
  var limit: Int?
  var isExplained = false

  static let options: [Option<Self>] =
    Filter.options.at(\.filter, heading: "Filters") + [
      .value("--sort", "KEYS", "Such as date:desc,text:asc (default: date:desc)", \.sort) {
        try Query.SortDescriptor.parse($0, on: Catalog.note)
      },
      .integer("--limit", "N", in: 0 ... .max, "At most this many", \.limit).alias("-n"),
      .flag("--explain", "Print how they are found, and nothing else", \.isExplained),
    ]

  func query() throws -> NoteQuery {
    NoteQuery(try filter.predicate(), sortedBy: sort, limit: limit)
  }
}

import NoteArchive
import QueryLanguage
import TestSupport

/// Reads live results as a screen does: keeps a list by differences alone, and checks it.
struct Follower<Element: Sendable & Equatable> {
  private var snapshots: FetchedResults<Element>.Snapshots.AsyncIterator
  /// What the screen shows.
  private(set) var elements: [Element] = []

  init(_ results: FetchedResults<Element>) { snapshots = results.snapshots.makeAsyncIterator() }

  /// Waits for the next snapshot; nil where the task was cancelled.
  mutating func next() async -> FetchedSnapshot<Element>? {
    guard let snapshot = await snapshots.next() else { return nil }
    elements = snapshot.difference.applied(to: elements)
    precondition(elements == snapshot.elements, "A difference does not give the list it is for.")
    return snapshot
  }

  /// Waits until the screen shows what is wanted: several causes may come in one snapshot or more.
  mutating func wait(until isWanted: ([Element]) -> Bool) async {
    while !isWanted(elements) { if await next() == nil { return } }
  }
}

/// An archive of a test's own.
struct TestArchive {
  let folder: TemporaryFolder
  let archive: Archive

  init() throws {
    folder = try TemporaryFolder()
    archive = try Archive.openOrCreate(at: folder.path + "/archive")
  }

  /// The same archive as another program has it: with connections of its own.
  func opened() throws -> Archive { try Archive.open(at: archive.path) }

  /// Adds a note that was taken on a day of May 2024.
  @discardableResult
  func add(
    _ text: String, memo: String? = nil, label: String? = nil, favorite: Bool = false, day: Int = 1
  ) throws -> Note {
    let wall = (CivilDay.day(year: 2024, month: 5, day: 1) ?? 0) + day - 1
    let note = Note(
      text: text, memo: memo, label: label, favorite: favorite,
      moment: Moment(milliseconds: wall * 86_400_000))
    try archive.save(note)
    return note
  }
}

/// A predicate about notes, as a person writes it.
func notes(where format: String, _ arguments: Query.Value...) throws -> Query.Predicate {
  try Query.Predicate(format, arguments: arguments, on: Catalog.note)
}

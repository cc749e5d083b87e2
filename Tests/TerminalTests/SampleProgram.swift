import FoundationEssentials
import Terminal

/// A small program with one command of each kind, for the tests to call.
enum SampleProgram {
  static let program = Program<Session, Globals>(
    name: "shelf", version: "1.2", summary: "Keep books on a shelf.", defaults: Globals(),
    options: Globals.options,
    sections: [
      .init("Books", [Add.self, ListBooks.self, Move.self]), .init("Upkeep", [Covers.self]),
    ])

  struct Session: Sendable {}

  struct Globals: Equatable {
    var place: Argument?
    var json = false

    static let options: [Option<Self>] = [
      .raw("--place", "PATH", "Where the shelf is", \.place) { $0 },
      .flag("--json", "One JSON object a line", \.json),
    ]
  }

  /// What several commands have in common.
  struct Filter: Equatable {
    var text: String?
    var tags: [String] = []
    var favorite: Bool?
    var since: Year?
    var limit: Int?

    static let options: [Option<Self>] = [
      .string("--text", "WORD", "Books with this word", \.text),
      .strings("--tag", "TAG", "Books with this tag", \.tags),
      .flag("--favorite", "Only favorites", \.favorite, sets: true).alias("--favourite"),
      .flag("--no-favorite", "No favorites", \.favorite, sets: false).alias("--no-favourite"),
      .value("--since", "YEAR", "Books of this year or later", \.since, read: Year.init),
      .integer("--limit", "N", in: 1 ... .max, "At most this many", \.limit).alias("-n"),
    ]
  }

  struct Year: Equatable {
    let number: Int

    init(_ text: String) throws(NoYear) {
      guard let number = Int(text), text.count == 4 else { throw NoYear(text: text) }
      self.number = number
    }
  }

  struct NoYear: LocalizedError {
    let text: String
    var errorDescription: String? { "“\(text)” is no year." }
    var recoverySuggestion: String? { "Write one like 1999." }
  }

  enum Order: String, CaseIterable { case title, author, year }

  struct Add: Command, Equatable {
    var paths: [Argument] = []
    var depth = 3

    static let name = "add"
    static let summary = "Put books on the shelf."
    static let discussion = """
      Every file becomes a book. A folder's books are put side by side, in the order of their names.

      Nothing is moved.
      """
    static let examples = [Example("shelf add ~/novels --depth 1", "Only the folder's own books")]
    static let options: [Option<Self>] = [
      .integer("--depth", "LEVELS", in: 1...9, "How deep to look in folders", \.depth)
    ]
    static let positionals: [Positional<Self>] = [
      .many("PATH", "Folders and files", required: true, \.paths) { $0 }
    ]
    func run(in session: Session) async throws -> ExitStatus { .success }
  }

  struct ListBooks: Command, Equatable {
    var filter = Filter()
    var order = Order.title

    static let name = "list"
    static let summary = "Show books."
    static let options: [Option<Self>] =
      Filter.options.at(\.filter, heading: "Filters") + [
        .choice("--order", "KEY", "What they are sorted by", \.order)
      ]
    func run(in session: Session) async throws -> ExitStatus { .success }
  }

  struct Move: Command, Equatable {
    var books: [String] = []
    var place = ""

    static let name = "move"
    static let summary = "Move books to another place."
    static let positionals: [Positional<Self>] = [
      .many("BOOK", "A book's name", required: true, \.books),
      .one("PLACE", "Where to", \.place),
    ]
    func run(in session: Session) async throws -> ExitStatus { .success }
  }

  struct Covers: CommandFamily, Equatable {
    typealias Context = Session
    static let name = "covers"
    static let summary = "Look after the covers."
    static let subcommands: [any Command<Session>.Type] = [Status.self, Rebuild.self]
  }

  struct Status: Command, Equatable {
    static let name = "status"
    static let summary = "Count covers."
    func run(in session: Session) async throws -> ExitStatus { .success }
  }

  struct Rebuild: Command, Equatable {
    var all = false
    var stale = false

    static let name = "rebuild"
    static let summary = "Draw covers anew."
    static let options: [Option<Self>] = [
      .flag("--all", "Every cover", \.all).alias("-a"), .flag("--stale", "Faded ones", \.stale),
    ]
    func validate() throws(UsageError) {
      if all && stale {
        throw UsageError("“--all” and “--stale” exclude each other.", remedy: "Keep one.")
      }
    }
    func run(in session: Session) async throws -> ExitStatus { .partial }
  }
}

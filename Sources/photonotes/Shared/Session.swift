import FoundationEssentials
import NoteArchive
import Terminal

/// What every command accepts, before or after its name.
struct GlobalOptions: Equatable {
  var archive: Argument?
  var json = false
  var quiet = false

  static let options: [Option<Self>] = [
    .raw("--archive", "PATH", "The archive’s folder (else $PHOTONOTES_ARCHIVE)", \.archive) { $0 },
    .flag("--json", "Print one JSON object a line", \.json),
    .flag("--quiet", "No progress and no summary", \.quiet).alias("-q"),
  ]
}

/// One run of the program: where the archive is, and whom it talks to.
struct Session: Sendable {
  let console: Console
  let isJSON: Bool
  private let archivePath: String

  init(
    _ options: GlobalOptions, console: Console,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.console = console
    isJSON = options.json
    archivePath = options.archive?.text ?? Self.defaultPath(environment)
  }

  /// Where the archive is, whether there is one or not.
  var path: String { archivePath }

  /// The archive, which has to be there.
  func archive() throws(ArchiveError) -> Archive { try .open(at: archivePath) }

  /// The archive, which is made where there is none.
  func archiveMadeIfNeeded() throws(ArchiveError) -> Archive { try .openOrCreate(at: archivePath) }

  /// Runs a command; what it throws is reported, in JSON too where that was asked for.
  func run(_ command: any Command<Session>) async -> ExitStatus {
    do { return try await command.run(in: self) } catch {
      let status = ExitStatus(error)
      if isJSON {
        console.print([
          "type": "exit_error", "status": JSONValue(Int(status.rawValue)),
          "message": .string((error as? any LocalizedError)?.errorDescription ?? "\(error)"),
        ])
      }
      console.report(error, of: Main.program.name)
      return status
    }
  }

  /// The end of a command's results: an object with `--json`, else lines for a person.
  func printSummary(_ object: JSONObject, _ lines: [String]) {
    if isJSON {
      console.print(object)
    } else if !console.isQuiet {
      for line in lines { console.print(line) }
    }
  }

  private static func defaultPath(_ environment: [String: String]) -> String {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let path = value("PHOTONOTES_ARCHIVE") { return path }
    // The base directory specification has relative paths ignored.
    let data = value("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base = data ?? (value("HOME") ?? ".") + "/.local/share"
    return base + "/photonotes/archive.photonotes"
  }
}

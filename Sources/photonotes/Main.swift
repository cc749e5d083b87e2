import ArchiveJobs
import Glibc
import NoteArchive
import QueryLanguage
import Terminal

/// The program: reads its arguments, runs one command, and tells the shell how it went.
@main struct Main {
  static let program = Program<Session, GlobalOptions>(
    name: "photonotes", version: "0.1", summary: "An archive of notes with photos.",
    defaults: GlobalOptions(), options: GlobalOptions.options,
    sections: [
      .init("Bring photos in", [Init.self, Import.self, Add.self]),
      .init("Find notes", [List.self, Show.self, Count.self, Photos.self, Fields.self]),
      .init("Change notes", [Edit.self, Delete.self, Restore.self]),
      .init("Take photos out", [Export.self]),
      .init("Look after the archive", [Thumbnails.self, CollectGarbage.self]),
    ])

  static func main() async {
    Interruption.install()
    let console = Console()
    var status = ExitStatus.success
    do {
      switch try program.interpret(Argument.ofProcess, width: console.output.width) {
      case .print(let text): console.write(text)
      case .run(let command, let options):
        let session = Session(options, console: options.quiet ? Console(isQuiet: true) : console)
        status = await session.run(command)
      }
      try console.finish()
    } catch {
      console.report(error, of: program.name)
      status = ExitStatus(error)
    }
    exit(status.rawValue)
  }
}

extension ExitStatus {
  /// What the shell is told of an error.
  init(_ error: any Error) {
    self =
      switch error {
      case is UsageError, is Query.FormatError, ArchiveError.query: .usage
      case ArchiveError.noArchive: .noArchive
      case ArchiveError.locked: .locked
      case ArchiveError.noSpace: .noSpace
      case let error as ExportError where error.isFull: .noSpace
      case let error as OutputError where error.code == ENOSPC: .noSpace
      case ArchiveError.damaged: .damageFound
      default: .failure
      }
  }
}

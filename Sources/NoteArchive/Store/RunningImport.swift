import Glibc

/// The sign that an import is running, for as long as this lives: a lock on a file in the archive's
/// folder, which any number of imports share.
///
/// The system lets go of it when the process ends, however it ends; a row in the database would stay.
final class RunningImport: Sendable {
  private let descriptor: Int32

  /// Gives the sign; waits, for a moment at most, while another process looks for one.
  init(in folder: String) throws(ArchiveError) {
    descriptor = try Self.open(folder)
    while flock(descriptor, LOCK_SH) != 0 {
      guard errno == EINTR else { throw Self.refused(folder) }
    }
  }

  deinit { close(descriptor) }

  /// Runs `body` while no import runs and none can begin, in whichever process; gives nil, and does
  /// not run it, where one runs or the file system can't tell.
  static func whileThereIsNone<Output>(
    in folder: String, _ body: () throws(ArchiveError) -> Output
  ) throws(ArchiveError) -> Output? {
    let descriptor = try open(folder)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? try body() : nil
  }

  private static func open(_ folder: String) throws(ArchiveError) -> Int32 {
    // To read, so that whoever may write to the archive may lock a file that another user made.
    let descriptor = Glibc.open(folder + "/import.lock", O_RDONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw refused(folder) }
    return descriptor
  }

  private static func refused(_ folder: String) -> ArchiveError {
    switch errno {
    case ENOSPC, EDQUOT: .noSpace(path: folder)
    case let code:
      .readOnly(path: folder, detail: "import.lock: \(String(cString: strerror(code)))")
    }
  }
}

import Glibc
import Synchronization

/// The wish to stop, as Ctrl-C or `kill` expresses it.
///
/// The first signal asks: a job looks at `isRequested` between two items, and ends with what is
/// finished. The second stops at once, with status 130.
package enum Interruption {
  /// Whether a signal has asked the program to stop.
  package static var isRequested: Bool { signalCount.load(ordering: .relaxed) > 0 }

  /// Catches SIGINT and SIGTERM from now on, and ignores SIGPIPE: a write to a closed pipe then
  /// fails with EPIPE.
  package static func install() {
    noticeDescriptor.store(isatty(2) == 1 ? 2 : -1, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = onSignal
    action.sa_flags = SA_RESTART  // No read or write elsewhere has to know of signals.
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    signal(SIGPIPE, SIG_IGN)
  }
}

private let signalCount = Atomic(0)
private let noticeDescriptor = Atomic<Int32>(-1)

/// Runs between any two instructions of any thread, so it only counts, writes and ends: signal-safety(7).
///
/// A function rather than a closure: a closure written on the main actor would trap on other threads.
private func onSignal(_ number: Int32) {
  let savedError = errno
  if signalCount.add(1, ordering: .relaxed).newValue > 1 { _exit(ExitStatus.interrupted.rawValue) }
  let notice: StaticString = "\nFinishing what is in hand. Ctrl-C again stops at once.\n"
  write(noticeDescriptor.load(ordering: .relaxed), notice.utf8Start, notice.utf8CodeUnitCount)
  errno = savedError
}

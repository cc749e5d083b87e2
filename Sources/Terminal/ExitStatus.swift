/// How a run ended, as the shell and a script see it.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Everything was done.
  case success = 0
  /// Nothing, or not the main thing, could be done.
  case failure = 1
  /// The command line or the predicate in it is wrong; nothing was begun.
  case usage = 2
  /// Done, but some items failed or are damaged.
  case partial = 3
  /// There is no archive where one is needed.
  case noArchive = 10
  /// Another process holds the archive.
  case locked = 11
  /// The disk is full.
  case noSpace = 12
  /// A check found damage.
  case damageFound = 13
  /// Stopped by a signal; what was finished until then is kept.
  case interrupted = 130
}

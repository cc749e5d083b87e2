import Glibc
import Synchronization

/// Wakes a thread that waits in `poll`.
final class Wakeup: Sendable {
  private let readEnd, writeEnd: Int32
  private let state = Mutex((isPending: false, isOver: false))

  init() {
    var ends: [Int32] = [-1, -1]
    let failed = pipe(&ends)
    precondition(failed == 0, "There are no file descriptors left.")
    for end in ends { _ = (fcntl(end, F_SETFD, FD_CLOEXEC), fcntl(end, F_SETFL, O_NONBLOCK)) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit { _ = (close(readEnd), close(writeEnd)) }

  /// Wakes the thread, now or when it next waits; with `isOver` to make it end.
  func signal(isOver: Bool = false) {
    let isNew = state.withLock { state in
      defer { state = (true, state.isOver || isOver) }
      return !state.isPending
    }
    if isNew { _ = write(writeEnd, [1], 1) }
  }

  /// Waits for a signal, for `descriptor` to have something to read, or for `milliseconds` to pass.
  func wait(orFor descriptor: Int32, milliseconds: Int32) {
    var ready = [readEnd, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = poll(&ready, 2, milliseconds)  // A negative descriptor is passed over.
  }

  /// Takes the signals that have come: whether there were any, and whether one said to end.
  func take() -> (isSignalled: Bool, isOver: Bool) {
    state.withLock { state in
      defer { state.isPending = false }
      var byte: UInt8 = 0
      if state.isPending { _ = read(readEnd, &byte, 1) }
      return (state.isPending, state.isOver)
    }
  }
}

import FoundationEssentials
import Glibc
import Synchronization

/// Where a program's text goes: a terminal, a pipe, a file, or a test's memory.
package struct Channel: Sendable {
  /// Whether a person reads along, on a screen that can be drawn over.
  package let isTerminal: Bool
  /// The columns of the terminal; 80 where there is none.
  package let width: Int
  /// Whether text may be coloured.
  package let usesColor: Bool
  /// Writes all of the bytes and returns 0, or the `errno` of what went wrong.
  let write: @Sendable ([UInt8]) -> Int32
  /// Whether the other end of the pipe, or the terminal, has gone.
  let isAbandoned: @Sendable () -> Bool

  /// Text to an open file of this process, such as 1, its standard output.
  ///
  /// Its width is that of the terminal, or `COLUMNS`; `NO_COLOR` (no-color.org) and a terminal called
  /// `dumb` are honoured.
  package init(descriptor: Int32) {
    let environment = ProcessInfo.processInfo.environment
    var size = winsize()
    isTerminal = isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    let known = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = known ? Int(size.ws_col) : environment["COLUMNS"].flatMap(Int.init) ?? 80
    usesColor = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
    write = { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    isAbandoned = {
      var state = pollfd(fd: descriptor, events: 0, revents: 0)
      return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLERR | POLLHUP) != 0
    }
  }

  /// Text into memory.
  package init(
    recording: Recording, isTerminal: Bool = false, width: Int = 80, usesColor: Bool = false
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.usesColor = usesColor
    write = { recording.append($0) }
    isAbandoned = { false }
  }

  /// `text` in a style, where the channel shows any; it must be printable already.
  package func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// How text looks, by the code of ECMA-48.
  package enum Style: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }
}

/// What was written to a channel in memory, for tests.
package final class Recording: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  /// Nothing yet.
  package init() {}

  /// All text so far.
  package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  fileprivate func append(_ more: [UInt8]) -> Int32 {
    bytes.withLock { $0 += more }
    return 0
  }
}

import Synchronization

/// A database for any task to use, one caller at a time; calling back into it from inside traps.
package final class Database: Sendable {
  private let connection: Mutex<Connection>

  package init(
    path: String, mode: OpenMode, busyTimeout: Duration = .seconds(10)
  ) throws(DatabaseError) {
    connection = Mutex(try .init(path: path, mode: mode, busyTimeout: busyTimeout))
  }

  package func withConnection<Output: Sendable, Failure: Error>(
    _ body: (inout Connection) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try connection.withLock { (held: inout Connection) throws(Failure) in try body(&held) }
  }
}

import Synchronization

/// Connections for reading, so that readers wait neither for the writer nor for each other.
///
/// There are as many as are ever in use at one time; each is made by `open`.
package final class ReaderPool: Sendable {
  private let open: @Sendable () throws(DatabaseError) -> Database
  private let idle = Mutex<[Database]>([])

  package init(open: @escaping @Sendable () throws(DatabaseError) -> Database) { self.open = open }

  package func withConnection<Output: Sendable, Failure: DatabaseFailure>(
    _ body: (inout Connection) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    let reader: Database
    do throws(DatabaseError) {
      let kept = idle.withLock { $0.popLast() }
      reader = if let kept { kept } else { try open() }
    } catch { throw Failure(error) }
    defer { idle.withLock { $0.append(reader) } }
    return try reader.withConnection(body)
  }
}

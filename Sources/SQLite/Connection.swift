import CSQLite

/// How a connection opens its file.
package enum OpenMode: Sendable {
  /// For reading and writing; a file that is not there is an error.
  case readWrite
  /// For reading and writing; a file that is not there is made.
  case create
  /// For reading; a statement that would write fails.
  case readOnly
}

/// One connection; noncopyable, so that it can't outlive the lock that it is lent under.
package struct Connection: ~Copyable {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// The most statements kept compiled: predicates make new ones without end.
  private static let statementLimit = 128

  /// Opens the file; a call on it waits up to `busyTimeout` for another connection's lock.
  package init(
    path: String, mode: OpenMode, busyTimeout: Duration = .seconds(10)
  ) throws(DatabaseError) {
    handle = try Self.open(path, mode, busyTimeout)
  }

  deinit { sqlite3_close_v2(handle) }  // v2, as the cached statements are finalized after it.

  /// Runs one statement, lending each row to `body`; `values` fill its `?`s from left to right.
  ///
  /// The statement stays compiled for the next call. `body` can't disturb it: this call has the
  /// connection to itself, so a `run` nested in it does not compile.
  package mutating func run(
    _ sql: String, _ values: [Value] = [],
    forEachRow body: (borrowing Row) throws(DatabaseError) -> Void = { _ in }
  ) throws(DatabaseError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try body(Row(statement: statement)) }
  }

  /// Lends rows to `body` as long as it gives true.
  package mutating func run(
    _ sql: String, _ values: [Value] = [],
    whileTrue body: (borrowing Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step(), try body(Row(statement: statement)) {}
  }

  /// All rows, each made into a value by `read`.
  package mutating func all<Element>(
    _ sql: String, _ values: [Value] = [],
    _ read: (borrowing Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    var rows: [Element] = []
    try run(sql, values) { (row: borrowing Row) throws(DatabaseError) in
      rows.append(try read(row))
    }
    return rows
  }

  /// The first row made into a value by `read`, or nil where there is none.
  package mutating func first<Element>(
    _ sql: String, _ values: [Value] = [],
    _ read: (borrowing Row) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> Element? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? try read(Row(statement: statement)) : nil
  }

  /// Runs several statements, separated by semicolons, that take no values and give no rows.
  package mutating func execute(_ script: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(code: code, connection: handle, sql: script)
    }
  }

  /// Runs `body` in a transaction that holds the write lock from its start, and rolls it back when
  /// `body` throws.
  ///
  /// Immediate, because a read that turns into a write can fail with a stale snapshot, which no
  /// waiting cures.
  package mutating func write<Output, Failure: DatabaseFailure>(
    _ body: (inout Connection) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body` on one snapshot: what others commit meanwhile is not seen.
  package mutating func read<Output, Failure: DatabaseFailure>(
    _ body: (inout Connection) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try transaction("BEGIN", body)
  }

  private mutating func transaction<Output, Failure: DatabaseFailure>(
    _ begin: String, _ body: (inout Connection) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    do throws(DatabaseError) { try run(begin) } catch { throw Failure(error) }
    let output: Output
    do throws(Failure) { output = try body(&self) } catch {
      rollBack()
      throw error
    }
    do throws(DatabaseError) { try run("COMMIT") } catch {
      rollBack()
      throw Failure(error)
    }
    return output
  }

  private mutating func rollBack() {
    // Some errors (a full disk, say) have rolled back already; a second time would be an error.
    if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
  }

  /// Rows that the last statement inserted, changed or deleted.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }
  /// Rows that statements have inserted, changed or deleted since the connection was opened.
  package var totalChangeCount: Int { Int(sqlite3_total_changes64(handle)) }
  /// The row id of the last insert.
  package var lastInsertedID: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Makes `function` callable from SQL on this connection.
  package func register(_ function: Function) throws(DatabaseError) {
    let code = function.register(on: handle)
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: handle) }
  }

  private mutating func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    if let kept = statements[sql] { return kept }
    let statement = try Statement(sql, on: handle)
    if statements.count >= Self.statementLimit { statements.removeAll(keepingCapacity: true) }
    statements[sql] = statement
    return statement
  }

  private static func open(
    _ path: String, _ mode: OpenMode, _ busyTimeout: Duration
  ) throws(DatabaseError) -> OpaquePointer {
    // A reader too opens for writing: of a WAL file it may have to recover the index.
    let access = SQLITE_OPEN_READWRITE | (mode == .create ? SQLITE_OPEN_CREATE : 0)
    var handle: OpaquePointer?
    var code = sqlite3_open_v2(
      path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    if code == SQLITE_OK {
      sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.components.seconds * 1000))
      if mode == .readOnly { code = sqlite3_exec(handle, "PRAGMA query_only=1", nil, nil, nil) }
    }
    guard code == SQLITE_OK, let handle else {
      let error = DatabaseError(code: code, connection: handle)
      sqlite3_close_v2(handle)
      throw error
    }
    return handle
  }
}

import CSQLite

/// A compiled statement, kept by its connection and used by one call at a time.
final class Statement {
  let handle: OpaquePointer
  let sql: String

  init(_ sql: String, on connection: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(code: code, connection: connection, sql: sql)
    }
    (self.handle, self.sql) = (handle, sql)
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ values: [Value]) throws(DatabaseError) {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    precondition(values.count == expected, "\(expected) values wanted by: \(sql)")
    for (index, value) in values.enumerated() {
      let position = Int32(index + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(handle, position)
        case .integer(let integer): sqlite3_bind_int64(handle, position, integer)
        case .real(let real): sqlite3_bind_double(handle, position, real)
        case .text(let text): Self.bind(text, to: handle, at: position)
        case .blob(let bytes): Self.bind(bytes, to: handle, at: position)
        }
      try check(code)
    }
  }

  /// Whether there is a row to read.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code: code, connection: sqlite3_db_handle(handle), sql: sql)
    }
  }

  /// Ends the read that an unfinished statement holds open, and lets go of what was bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else {
      throw DatabaseError(code: code, connection: sqlite3_db_handle(handle), sql: sql)
    }
  }

  private static func bind(_ text: String, to handle: OpaquePointer, at position: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { utf8 in
      // A nil pointer would bind null, and an empty string may come with one.
      utf8.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map {
          sqlite3_bind_text64(
            handle, position, $0, UInt64(utf8.count), transient, UInt8(SQLITE_UTF8))
        } ?? sqlite3_bind_text(handle, position, "", 0, transient)
      }
    }
  }

  private static func bind(
    _ bytes: [UInt8], to handle: OpaquePointer, at position: Int32
  ) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map {
        sqlite3_bind_blob64(handle, position, $0, UInt64(buffer.count), transient)
      } ?? sqlite3_bind_zeroblob(handle, position, 0)
    }
  }
}

/// Tells SQLite to copy what it is given: its `SQLITE_TRANSIENT`, a cast that Swift does not import.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

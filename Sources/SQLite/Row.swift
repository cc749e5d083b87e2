import CSQLite

/// The row that a statement stands on, lent for the time of one call; columns count from 0.
///
/// A column is read as the type that is asked for, by SQLite's conversions; the schema's `STRICT`
/// tables see to it that the types agree.
package struct Row: ~Copyable {
  let statement: Statement

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_NULL
  }

  package func int(_ column: Int) -> Int {
    Int(sqlite3_column_int64(statement.handle, Int32(column)))
  }

  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  package func double(_ column: Int) -> Double {
    sqlite3_column_double(statement.handle, Int32(column))
  }

  package func string(_ column: Int) -> String {
    guard let text = sqlite3_column_text(statement.handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int) -> [UInt8] {
    withBlob(column) { [UInt8]($0) }
  }

  /// Lends the bytes of a blob without a copy; they are gone after the call.
  package func withBlob<Output>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) -> Output
  ) -> Output {
    let bytes = sqlite3_column_blob(statement.handle, Int32(column))
    let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
    return body(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  package func intIfPresent(_ column: Int) -> Int? { isNull(column) ? nil : int(column) }
  package func doubleIfPresent(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
  package func stringIfPresent(_ column: Int) -> String? { isNull(column) ? nil : string(column) }

  /// The column in its own storage class.
  package func value(_ column: Int) -> Value {
    switch sqlite3_column_type(statement.handle, Int32(column)) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(string(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }
}

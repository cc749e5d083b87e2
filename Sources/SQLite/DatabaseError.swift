import CSQLite
import FoundationEssentials

/// What SQLite said no to, with the statement that it was asked to run.
package struct DatabaseError: LocalizedError, Equatable {
  /// SQLite's extended result code: <https://www.sqlite.org/rescode.html>.
  package let code: Int32
  /// SQLite's own words.
  package let message: String
  /// The statement, where there was one.
  package let sql: String?

  package init(code: Int32, message: String, sql: String? = nil) {
    (self.code, self.message, self.sql) = (code, message, sql)
  }

  /// The kinds that a program answers in different ways.
  package enum Kind: Sendable {
    case busy, full, readOnly, cannotOpen, notADatabase, corrupt, constraint, inputOutput, other
  }

  package var kind: Kind {
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_IOERR: .inputOutput
    default: .other
    }
  }

  package var errorDescription: String? {
    "\(message) (SQLite code \(code))" + (sql.map { ", in: \($0)" } ?? "")
  }

  /// The error that `connection` reports for its last call.
  init(code: Int32, connection: OpaquePointer?, sql: String? = nil) {
    self.code = connection.map { sqlite3_extended_errcode($0) } ?? code
    message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    self.sql = sql
  }
}

/// An error type that a failing database call can be told in: what lets a transaction throw one type.
package protocol DatabaseFailure: Error {
  /// Tells `error` in this type.
  init(_ error: DatabaseError)
}

extension DatabaseError: DatabaseFailure {
  package init(_ error: DatabaseError) { self = error }
}

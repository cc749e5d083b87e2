import FoundationEssentials
import SQLite
import TestSupport
import Testing

@Suite struct DatabaseTests {
  private func database() throws -> Database { try Database(path: ":memory:", mode: .create) }

  @Test func `every kind of value comes back as it went in`() throws {
    let values: [Value] = [
      .null, .integer(Int64.min), .real(-0.5), .text("雨\u{0}🌧"), .text(""), .blob([0, 255]),
      .blob([]),
    ]
    let back = try database().withConnection { connection throws(DatabaseError) in
      try connection.first("SELECT ?,?,?,?,?,?,?", values) { row in (0..<7).map { row.value($0) } }
    }
    #expect(back == values)
  }

  @Test func `a transaction whose body throws leaves nothing behind`() throws {
    let database = try database()
    try database.withConnection { connection throws(DatabaseError) in
      try connection.run("CREATE TABLE t(a)")
    }
    let stop = DatabaseError(code: 0, message: "stop")
    #expect(throws: stop) {
      try database.withConnection { connection throws(DatabaseError) in
        try connection.write { connection throws(DatabaseError) in
          try connection.run("INSERT INTO t VALUES (1)")
          throw stop
        }
      }
    }
    let count = try database.withConnection { connection throws(DatabaseError) in
      try connection.first("SELECT count(*) FROM t") { $0.int(0) }
    }
    #expect(count == 0)
  }

  @Test func `an error carries the statement and the extended code`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try database().withConnection { connection throws(DatabaseError) in
        try connection.run("CREATE TABLE t(a UNIQUE)")
        try connection.run("INSERT INTO t VALUES (?)", [.integer(1)])
        try connection.run("INSERT INTO t VALUES (?)", [.integer(1)])
      }
    }
    #expect(error?.sql == "INSERT INTO t VALUES (?)")
    #expect(error?.code == 2067)  // SQLITE_CONSTRAINT_UNIQUE
    #expect(error?.kind == .constraint)
  }

  @Test func `a function of ours is called from SQL`() throws {
    let twice = Function(name: "twice", argumentCount: 1) { .text($0.string(0) + $0.string(0)) }
    let answer = try database().withConnection { connection throws(DatabaseError) in
      try connection.register(twice)
      return try connection.first("SELECT twice('ab'), twice('')") { [$0.string(0), $0.string(1)] }
    }
    #expect(answer == ["abab", ""])
  }

  @Test func `a reader sees what was committed and writes nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/test.db"
    let writer = try Database(path: path, mode: .create)
    try writer.withConnection { connection throws(DatabaseError) in
      try connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (7)")
    }
    let readers = ReaderPool { () throws(DatabaseError) in
      try Database(path: path, mode: .readOnly)
    }
    let seen = try readers.withConnection { connection throws(DatabaseError) in
      try connection.first("SELECT a FROM t") { $0.int(0) }
    }
    #expect(seen == 7)
    let error = #expect(throws: DatabaseError.self) {
      try readers.withConnection { connection throws(DatabaseError) in
        try connection.run("DELETE FROM t")
      }
    }
    #expect(error?.kind == .readOnly)
  }

  @Test func `a file that is no database is told apart from one that is not there`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "text.db", Array("This is no database, but a text of some length.".utf8))
    #expect(throws: DatabaseError.self) { try Database(path: path + "x", mode: .readWrite) }
    let error = #expect(throws: DatabaseError.self) {
      try Database(path: path, mode: .readWrite).withConnection {
        connection throws(DatabaseError) in
        try connection.run("SELECT * FROM sqlite_schema")
      }
    }
    #expect(error?.kind == .notADatabase)
  }
}

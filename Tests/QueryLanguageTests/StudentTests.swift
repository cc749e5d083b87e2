import QueryLanguage
import Testing

/// An entity that has nothing to do with notes: the compiler works from the catalog alone.
@Suite struct StudentTests {
  private struct Student: Query.Record {
    var number: Int64
    var name: String
    var absentDays: Int64
    var `class`: String
    var club: String?

    func value(for field: String) -> Query.RecordValue {
      switch field {
      case "number": .value(.integer(number))
      case "name": .value(.string(name))
      case "absentDays": .value(.integer(absentDays))
      case "class": .value(.string(`class`))
      case "club": .value(club.map { .string($0) } ?? .null)
      default: .value(.null)
      }
    }
  }

  private let students = [
    Student(number: 1, name: "Aiko", absentDays: 0, class: "2-A", club: "chess"),
    Student(number: 2, name: "Ben", absentDays: 4, class: "2-B", club: nil),
    Student(number: 3, name: "Chloë", absentDays: 1, class: "2-B", club: "Chess"),
  ]

  private func numbers(_ format: String, _ arguments: Query.Value...) throws -> [Int64] {
    let predicate = try Query.Predicate(format, arguments: arguments, on: .student)
    let evaluator = try Query.Evaluator(predicate, on: .student)
    return try students.filter { try evaluator.matches($0) }.map(\.number)
  }

  @Test func `a class is picked, and who was absent in it`() throws {
    #expect(try numbers("class == %@", "2-B") == [2, 3])
    #expect(try numbers("class == %@ AND absentDays > %d", "2-B", 2) == [2])
    #expect(try numbers("%K ==[c] %@", "club", "CHESS") == [1, 3])
    #expect(try numbers("name BEGINSWITH[cd] %@", "chloe") == [3])
  }

  @Test func `the SQL names the columns of its catalog`() throws {
    let predicate = try Query.Predicate("absentDays > 2 AND club != nil", on: .student)
    let sql = try Query.SQL.condition(predicate, on: .student, alias: "s")
    #expect(sql.text == "(s.absent_days > ?) AND (s.club IS NOT NULL)")
    #expect(sql.bindings == [2])
  }
}

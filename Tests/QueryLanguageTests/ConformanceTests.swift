import Foundation
import QueryLanguage
import Testing

/// The suite of the format language, in both engines.
///
/// `PREDICATE_CONFORMANCE=DIR swift test --filter Conformance` runs another of the same form.
@Suite struct ConformanceTests {
  @Test(arguments: ConformanceSuite.plain, Engine.allCases)
  func `a predicate selects the expected notes`(
    case: ConformanceCase, engine: Engine
  ) throws {
    try `case`.check(by: engine)
  }

  @Test(arguments: ConformanceSuite.contested, Engine.allCases)
  func `where implementations differ, the recommended answer is given`(
    case: ConformanceCase, engine: Engine
  ) throws {
    try `case`.check(by: engine)
  }

  @Test(arguments: ConformanceSuite.refused)
  func `a bad predicate is refused before any row is read`(case: ConformanceCase) throws {
    let error = #expect(throws: Query.FormatError.self) { try `case`.predicate() }
    #expect(error?.errorDescription?.isEmpty == false)
    #expect((1...(`case`.format.count + 1)).contains(error?.column ?? 0))
  }

  @Test(arguments: ConformanceSuite.plain + ConformanceSuite.contested)
  func `a printed predicate reads as the same predicate`(case: ConformanceCase) throws {
    guard let predicate = try? `case`.predicate() else { return }
    #expect(try Query.Predicate(predicate.format, on: .note) == predicate)
  }

  // With no arguments a test runs no case and passes; this one notices.
  @Test func `the suite is whole`() {
    #expect(ConformanceSuite.plain.count > 0)
    guard ProcessInfo.processInfo.environment["PREDICATE_CONFORMANCE"] == nil else { return }
    #expect(ConformanceSuite.plain.count == 355)
    #expect(ConformanceSuite.contested.count == 21)
    #expect(ConformanceSuite.refused.count == 96)
    #expect(ConformanceSuite.archive.notes.count == 44)
  }
}

/// How a predicate is evaluated.
enum Engine: CaseIterable, Sendable { case memory, sql }

enum ConformanceSuite {
  private static let folder =
    ProcessInfo.processInfo.environment["PREDICATE_CONFORMANCE"].map { URL(filePath: $0) }
    ?? Bundle.module.bundleURL.appending(path: "Fixtures")

  private struct Cases: Decodable { var cases: [ConformanceCase] }
  private struct Notes: Decodable { var notes: [TestNote] }

  private static func read<Content: Decodable>(_ name: String) -> Content {
    do {
      let data = try Data(contentsOf: folder.appending(path: name))
      return try JSONDecoder().decode(Content.self, from: data)
    } catch {
      fatalError("\(name): \(error)")
    }
  }

  static let cases = (read("conformance.json") as Cases).cases
  static let plain = cases.filter { $0.expect != nil && $0.note == nil }
  static let contested = cases.filter { $0.expect != nil && $0.note != nil }
  static let refused = cases.filter { $0.error == true }

  static let archive: TestArchive = {
    do {
      return try TestArchive((read("notes.json") as Notes).notes)
    } catch {
      fatalError("notes.json: \(error)")
    }
  }()
}

struct ConformanceCase: Decodable, Sendable, CustomTestStringConvertible {
  var id: String
  var format: String
  var args: [ConformanceValue]?
  var variables: [String: ConformanceValue]?
  var expect: [String]?
  var error: Bool?
  var orError: Bool?
  var note: String?

  var testDescription: String { id }

  func predicate() throws -> Query.Predicate {
    try Query.Predicate(
      format, arguments: (args ?? []).map(\.value),
      variables: (variables ?? [:]).mapValues(\.value), on: .note)
  }

  /// Either the expected answer or, where the case allows it, a refusal.
  func check(by engine: Engine) throws {
    do {
      let predicate = try predicate()
      let ids =
        switch engine {
        case .memory: try ConformanceSuite.archive.idsInMemory(predicate)
        case .sql: try ConformanceSuite.archive.idsInSQL(predicate)
        }
      #expect(Set(ids) == Set(expect ?? []), "\(format)")
    } catch  where orError == true {}
  }
}

struct ConformanceValue: Decodable, Sendable {
  var value: Query.Value

  private enum Keys: String, CodingKey { case type, value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    switch try container.decode(String.self, forKey: .type) {
    case "string": value = .string(try container.decode(String.self, forKey: .value))
    case "int": value = .integer(try container.decode(Int64.self, forKey: .value))
    case "double": value = .double(try container.decode(Double.self, forKey: .value))
    case "bool": value = .bool(try container.decode(Bool.self, forKey: .value))
    case "date": value = .date(try container.decode(ISO8601.self, forKey: .value).instant)
    case "array":
      value = .list(try container.decode([ConformanceValue].self, forKey: .value).map(\.value))
    default: value = .null
    }
  }
}

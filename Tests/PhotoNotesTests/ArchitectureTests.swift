import FoundationEssentials
import Testing

/// Reads the import lines: the compiler accepts a module that is only in reach through another.
@Suite struct ArchitectureTests {
  /// What each target may import, the system's modules aside.
  static let neighbours: [String: Set<String>] = [
    "SQLite": ["CSQLite"],
    "Imaging": ["CImageCodecs"],
    "QueryLanguage": ["_FoundationICU"],  // The toolchain's.
    "NoteArchive": ["SQLite", "QueryLanguage", "CDigest"],
    "ArchiveJobs": ["NoteArchive", "Imaging", "QueryLanguage"],
    "Terminal": [],
    "photonotes": ["ArchiveJobs", "NoteArchive", "QueryLanguage", "Terminal"],
  ]
  static let systemModules: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization", "Glibc",
    "Observation", "Synchronization",
  ]

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources").path

  private static func imports(of target: String) throws -> [String: Set<String>] {
    var imports: [String: Set<String>] = [:]
    let folder = sources + "/" + target
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let bytes = try #require(FileManager.default.contents(atPath: folder + "/" + file))
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let pattern = /^(@\w+ )?((public|package|internal) )?import (\w+)$/
        if let match = String(line).firstMatch(of: pattern) {
          imports[file, default: []].insert(String(match.4))
        }
      }
    }
    return imports
  }

  @Test(arguments: neighbours.keys.sorted())
  func `a target imports its neighbours alone`(target: String) throws {
    let allowed = try #require(Self.neighbours[target]).union(Self.systemModules)
    let imports = try Self.imports(of: target)
    #expect(!imports.isEmpty)
    for (file, modules) in imports {
      #expect(modules.isSubset(of: allowed), "\(target)/\(file): \(modules.subtracting(allowed))")
    }
  }

  @Test func `every Swift target has its neighbours listed`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources)
    let others: Set<String> = [
      "CSQLite", "CJPEG", "CPNG", "CImageCodecs", "CDigest", "Benchmarks", "Fuzzers", "CHEIF",
      "CWebP",
    ]
    #expect(Set(folders).subtracting(others) == Set(Self.neighbours.keys))
  }
}

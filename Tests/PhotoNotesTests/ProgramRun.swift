import Foundation
import Glibc
import TestSupport

/// A run of the real program, as a user's shell would start it.
struct ProgramRun {
  var status: Int32
  var output: String
  var errors: String

  /// The program that was built beside these tests.
  static let path: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: link ?? "").deletingLastPathComponent().path + "/photonotes"
  }()

  /// Runs the program to its end, or kills it after a while.
  init(_ arguments: [String], archive: String, killAfter: Duration? = nil) throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.path)
    process.arguments = arguments
    process.environment = ["PHOTONOTES_ARCHIVE": archive, "TZ": "UTC", "HOME": "/nonexistent"]
    let folder = try TemporaryFolder()
    let files = try ["out", "err"].map { try folder.write($0, []) }
    process.standardOutput = FileHandle(forWritingAtPath: files[0])
    process.standardError = FileHandle(forWritingAtPath: files[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    if let killAfter {
      usleep(UInt32(killAfter / .microseconds(1)))
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try folder.read("out"), as: UTF8.self)
    errors = String(decoding: try folder.read("err"), as: UTF8.self)
  }

  /// The JSON objects that were printed, a line each.
  var objects: [[String: Any]] {
    output.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}

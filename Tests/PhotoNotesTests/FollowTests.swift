import Foundation
import Glibc
import TestSupport
import Testing

/// `list --follow`, beside other runs of the program that change what it lists.
@Suite(.timeLimit(.minutes(2))) struct FollowTests {
  private let folder = try? TemporaryFolder()
  private var archive: String { (folder?.path ?? "") + "/archive" }

  private func run(_ arguments: String...) throws {
    let run = try ProgramRun(arguments, archive: archive)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
  }

  /// Adds a note with one photo on a day of May 2024.
  private func add(_ text: String, day: Int, _ more: String...) throws {
    let photo = try #require(folder).write("\(text).png", SamplePNG.bytes(day))
    let words = ["add", photo, "--text", text, "--date", "2024-05-0\(day)T12:00"]
    let run = try ProgramRun(words + more, archive: archive)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `what other programs change is printed, until Ctrl-C`() throws {
    try add("one", day: 1, "--label", "a")
    let follower = try Following(["list", "--follow", "--json", "--group-by", "label"], archive)
    let first = try follower.object()
    #expect(first["type"] as? String == "note" && first["section"] as? String == "a")
    let id = try #require(first["id"] as? String)

    func expectChange(
      _ type: String, _ text: String, from: Int? = nil, to: Int? = nil, section: String? = nil
    ) throws {
      let object = try follower.object()
      #expect(object["type"] as? String == type)
      #expect(object["text"] as? String == text)
      #expect(object["from"] as? Int == from && object["to"] as? Int == to)
      #expect(object["section"] as? String == section)
    }
    try add("two", day: 2)
    try expectChange("insert", "two", to: 0)
    try run("edit", id, "--text", "first")
    try expectChange("update", "first", to: 1, section: "a")
    try run("edit", id, "--date", "2024-05-09T12:00")
    try expectChange("move", "first", from: 1, to: 0, section: "a")
    try run("delete", id, "--yes")
    try expectChange("remove", "first", from: 0)

    follower.interrupt()
    let summary = try follower.object()
    #expect(summary["type"] as? String == "summary" && summary["notes"] as? Int == 1)
    #expect(follower.status() == 130)
  }

  @Test func `a person sees marks before the lines`() throws {
    try add("one", day: 1, "--favorite")
    let follower = try Following(["list", "--follow", "--favorite"], archive)
    #expect(try follower.line().hasSuffix("one"))
    try add("two", day: 2, "--favorite")
    #expect(try follower.line().hasPrefix("+ "))
    try run("edit", "--where", "text == 'two'", "--text", "zwei")
    let changed = try follower.line()
    #expect(changed.hasPrefix("~ ") && changed.hasSuffix("zwei"))
    try run("edit", "--where", "text == 'zwei'", "--no-favorite")
    #expect(try follower.line().hasPrefix("- "))
    follower.interrupt()
    #expect(follower.status() == 130)
  }

  @Test func `it ends when nobody reads any more`() throws {
    try add("one", day: 1)
    let follower = try Following(["list", "--follow"], archive)
    _ = try follower.line()
    follower.stopReading()
    #expect(follower.status() == 0)
  }

  @Test func `sections stand under headings`() throws {
    try add("one", day: 1)
    try add("two", day: 2)
    let byDay = try ProgramRun(["list", "--group-by", "day"], archive: archive)
    let lines = byDay.output.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count == 6)
    #expect(lines[0] == "2024-05-02" && lines[1].hasSuffix("two"))
    #expect(lines[2] == "" && lines[3] == "2024-05-01" && lines[4].hasSuffix("one"))
    let byMonth = try ProgramRun(["list", "--group-by", "month", "--json"], archive: archive)
    #expect(byMonth.objects.prefix(2).map { $0["section"] as? String } == ["2024-05", "2024-05"])
    let plain = try ProgramRun(["list", "--json"], archive: archive)
    #expect(plain.objects.first?.keys.contains("section") == false)
  }
}

/// A program that is still running, and the end of the pipe that it writes to.
private final class Following {
  private let process = Process()
  private let pipe = Pipe()
  private var pending: [UInt8] = []

  init(_ arguments: [String], _ archive: String) throws {
    process.executableURL = URL(filePath: ProgramRun.path)
    process.arguments = arguments
    process.environment = ["PHOTONOTES_ARCHIVE": archive, "TZ": "UTC", "HOME": "/nonexistent"]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Waits for the next line.
  func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let more = pipe.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the program has ended")
      pending += more
    }
  }

  func object() throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(line().utf8))
    return try #require(object as? [String: Any])
  }

  func interrupt() { kill(process.processIdentifier, SIGINT) }
  func stopReading() { try? pipe.fileHandleForReading.close() }

  func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

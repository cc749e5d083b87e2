import Foundation
import Glibc
import NoteArchive

/// How long it takes from a commit in another process to the snapshot that shows it.
struct LiveBenchmark {
  static let usage = "live [--commits N] [--notes N]"

  private var commits = 500
  /// Notes that are there before; the list shows the newest 50.
  private var notes = 0
  /// Set in the process that writes: where the archive is.
  private var path: String?

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 1 }
    while let argument = rest.popFirst() {
      switch argument {
      case "--commits": commits = number(rest.popFirst())
      case "--notes": notes = number(rest.popFirst())
      case "--write": path = rest.popFirst()
      default: print("usage: \(Self.usage)")
      }
    }
  }

  func run() async throws {
    if let path { try write(to: path) } else { try await measure() }
  }

  /// The other process: commits with pauses of 0 to 40 ms, and prints when each had returned.
  private func write(to path: String) throws {
    let archive = try Archive.open(at: path)
    for number in 0..<commits {
      usleep(UInt32.random(in: 0..<40_000))
      try archive.save(Note(text: "\(number)", moment: .now))
      print(Self.now)
    }
  }

  private func measure() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/live-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let archive = try Archive.openOrCreate(at: folder)
    for number in 0..<notes {
      try archive.save(Note(text: "old \(number)", moment: Moment(milliseconds: number * 1000)))
    }
    let results = FetchedResults(FetchRequest(limit: 50), in: archive)

    let (start, idle) = (Self.processorTime, 10.0)
    try await Task.sleep(for: .seconds(idle))
    let load = (Self.processorTime - start) / idle * 100

    let following = Task {
      var seen: [Int: Int] = [:]  // Nanoseconds, by the number of the note.
      for await snapshot in results.snapshots {
        let now = Self.now
        for note in snapshot.elements {
          if let number = Int(note.text), seen[number] == nil { seen[number] = now }
        }
        if seen.count == commits { break }
      }
      return seen
    }
    let writer = Process()
    writer.executableURL = URL(filePath: "/proc/self/exe")
    writer.arguments = ["live", "--write", folder, "--commits", "\(commits)"]
    let output = Pipe()
    writer.standardOutput = output
    try writer.run()
    let lines = output.fileHandleForReading.readDataToEndOfFile()
    let committed = String(decoding: lines, as: UTF8.self).split(separator: "\n")
      .compactMap { Int($0) }
    let seen = await following.value
    let latencies = committed.enumerated().compactMap { number, time in
      seen[number].map { Double($0 - time) / 1e6 }
    }.sorted()
    guard latencies.count == commits, let worst = latencies.last else {
      return print("only \(latencies.count) of \(commits) commits were seen")
    }
    func part(_ share: Double) -> String {
      String(format: "%.2f ms", latencies[Int(Double(commits - 1) * share)])
    }
    print("\(commits) commits of another process, from their return to the snapshot:")
    print("median \(part(0.5)), p90 \(part(0.9)), p99 \(part(0.99)),", terminator: " ")
    print(String(format: "worst %.2f ms", worst))
    print(String(format: "idle: %.3f %% of a core", load))
  }

  /// The clock that all processes share, in nanoseconds.
  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Seconds that this process has used of the processors.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

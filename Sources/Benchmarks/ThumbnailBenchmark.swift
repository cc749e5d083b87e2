import FoundationEssentials
import Imaging

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Makes thumbnails of every file below a folder, read in parts as an archive would be.
struct ThumbnailBenchmark {
  static let usage = """
    thumbnails FOLDER [--out DIR] [--jobs N] [--size PIXELS] [--quality N] [--exact] [--png]
    """

  private var folder = "."
  private var output: String?
  private var jobs = ProcessInfo.processInfo.activeProcessorCount
  private var recipe = ThumbnailRecipe()

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 1 }
    while let argument = rest.popFirst() {
      switch argument {
      case "--out": output = rest.popFirst()
      case "--jobs": jobs = number(rest.popFirst())
      case "--size": recipe.longestEdge = number(rest.popFirst())
      case "--quality": recipe.quality = number(rest.popFirst())
      case "--exact": recipe.mode = .exact
      case "--png": recipe.encoding = .png
      default: folder = argument
      }
    }
  }

  func run() async throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter(isFile)
    let clock = ContinuousClock()
    let start = clock.now
    var rest = files[...]
    var counts: [String: Int] = [:]
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<jobs { if let name = rest.popFirst() { group.addTask { make(name) } } }
      for await outcome in group {
        counts[outcome, default: 0] += 1
        if let name = rest.popFirst() { group.addTask { make(name) } }
      }
    }
    let seconds = (clock.now - start) / .seconds(1)
    var usage = rusage()
    getrusage(0, &usage)  // RUSAGE_SELF, whose type differs from system to system.
    print("\(files.count) files in \(seconds) s: \(Double(files.count) / seconds) a second")
    print("peak memory \(usage.ru_maxrss / 1024) MB, \(jobs) jobs")
    for (outcome, count) in counts.sorted(by: { $0.key < $1.key }) { print(outcome, count) }
  }

  private func isFile(_ name: String) -> Bool {
    var isFolder = false
    let exists = FileManager.default.fileExists(
      atPath: "\(folder)/\(name)", isDirectory: &isFolder)
    return exists && !isFolder
  }

  private func make(_ name: String) -> String {
    let file = open("\(folder)/\(name)", O_RDONLY)
    guard file >= 0 else { return "unreadable" }
    defer { close(file) }
    let source = ByteSource { max(0, read(file, $0.baseAddress, $0.count)) }
    do {
      let thumbnail = try Thumbnail.make(from: source, recipe: recipe)
      if let output {
        let stem = name.split(separator: "/").joined(separator: "_").split(separator: ".")
          .dropLast()
          .joined(separator: ".")
        let suffix = thumbnail.format == .jpeg ? "jpg" : "png"
        try Data(thumbnail.bytes).write(to: URL(filePath: "\(output)/\(stem).\(suffix)"))
      }
      return "\(thumbnail.outcome)"
    } catch let error as ImageError {
      return error.code
    } catch {
      return "unwritable"
    }
  }
}

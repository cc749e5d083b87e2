import Glibc
import NoteArchive

/// The list that `sha256sum -c SHA256SUMS` checks an export by, in the order of the paths' bytes.
///
/// A file that an earlier run wrote and this one did not select keeps its line while it is there.
struct Checksums {
  static let name = "SHA256SUMS"
  private let folder: OutputFolder
  /// A path, a zero, `0` for this run or `1` for an earlier one, and the digest: so they sort.
  private var entries: LineSorter

  /// A list of which up to `lineCapacity` lines are in memory.
  init(in folder: OutputFolder, lineCapacity: Int = 1 << 16) {
    self.folder = folder
    entries = LineSorter(in: folder.path, capacity: lineCapacity)
  }

  mutating func add(_ digest: ContentDigest, _ path: String) throws(FileError) {
    try entries.add(Array(path.utf8) + [0, UInt8(ascii: "0")] + digest.description.utf8)
  }

  /// Writes the list, unless it says the same already; leaves alone one that no export wrote.
  mutating func write() throws -> OutputFolder.Outcome {
    guard try addEarlier() else { return .occupied }
    var hash = SHA256()
    var byteCount = 0
    var text = ListText(try entries.sorted())
    while let part = try text.next() {
      hash.update(data: part)
      byteCount += part.count
    }
    text = ListText(try entries.sorted())
    return try folder.write(
      Self.name, digest: hash.finalize(), byteCount: byteCount, replacing: { _ in true }
    ) { () throws(FileError) in try text.next() }
  }

  /// Adds the lines of the list that is there; false where one of them is none of ours.
  private mutating func addEarlier() throws(FileError) -> Bool {
    let file: SourceFile?
    do throws(FileError) {
      file = try SourceFile.open(folder.path.appending(Array(Self.name.utf8)))
    } catch {
      guard error.code == ENOENT else { throw error }
      return true
    }
    guard let file else { return false }
    var lines = LineReader(file, 0..<file.size)
    while let line = try lines.next() {
      guard let path = Self.path(inLine: line) else { return false }
      if folder.path.appending(path).withCString({ access($0, F_OK) }) == 0 {
        try entries.add(path + [0, UInt8(ascii: "1")] + line.prefix(64))
      }
    }
    return true
  }

  /// The path in a line that an export wrote: a digest, two spaces, a note's folder and a file.
  private static func path(inLine line: [UInt8]) -> [UInt8]? {
    let (digest, rest) = (line.prefix(64), line.dropFirst(64))
    guard digest.allSatisfy(ExportNames.isHexDigit), rest.starts(with: "  ".utf8) else {
      return nil
    }
    let path = Array(rest.dropFirst(2))
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, ExportNames.isFolder(parts[0]), !parts[1].isEmpty, !path.contains(0)
    else { return nil }
    return path
  }
}

/// The text of a list, some lines at a time.
private struct ListText {
  private var entries: LineSorter.Merge
  private var last: ArraySlice<UInt8> = []

  init(_ entries: LineSorter.Merge) { self.entries = entries }

  /// The next lines, about 64 KB of them, or nil after the last.
  mutating func next() throws(FileError) -> [UInt8]? {
    var text: [UInt8] = []
    while text.count < 1 << 16, let entry = try entries.next() {
      let path = entry.prefix { $0 != 0 }
      if path == last { continue }  // An earlier run's line, and this one has its own.
      last = path
      text += entry.dropFirst(path.count + 2)
      text += "  ".utf8
      text += path
      text.append(UInt8(ascii: "\n"))
    }
    return text.isEmpty ? nil : text
  }
}

import Glibc

/// Sorts lines by their bytes, of which there may be more than should be in memory.
///
/// As many as are held at one time are sorted and put into a file, and what lies there is merged.
struct LineSorter {
  private let folder: FilePath
  private let capacity: Int
  private var pending: [[UInt8]] = []
  private var spill: PartialFile?
  private var runs: [Range<Int>] = []  // Of bytes in the file.

  /// A sorter that holds up to `capacity` lines, and puts those above it into a file in `folder`.
  ///
  /// The file is gone with the sorter.
  init(in folder: FilePath, capacity: Int) { (self.folder, self.capacity) = (folder, capacity) }

  /// Adds a line: any bytes but a line feed.
  mutating func add(_ line: [UInt8]) throws(FileError) {
    pending.append(line)
    guard pending.count >= capacity else { return }
    let file = if let spill { spill } else { try PartialFile(in: folder) }
    spill = file
    let start = runs.last?.upperBound ?? 0
    let bytes = joined()
    try file.write(bytes)
    runs.append(start..<start + bytes.count)
    pending.removeAll(keepingCapacity: true)
  }

  /// All lines, in order; more can be added after it, and more than one pass be made.
  mutating func sorted() throws(FileError) -> Merge {
    var sources = [LineReader(joined())]
    if let spill {
      guard let file = try SourceFile.open(spill.path) else { throw FileError(code: ENOENT) }
      sources += runs.map { LineReader(file, $0) }
    }
    return try Merge(sources)
  }

  private mutating func joined() -> [UInt8] {
    pending.sort { $0.lexicographicallyPrecedes($1) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pending.reduce(0) { $0 + $1.count + 1 })
    for line in pending {
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Gives the lines of several sources, each in order, in order.
  struct Merge {
    private var sources: [LineReader]
    /// The next line of each source that has one, the last first.
    private var heads: [(line: [UInt8], source: Int)] = []

    fileprivate init(_ sources: [LineReader]) throws(FileError) {
      self.sources = sources
      for source in sources.indices { try advance(source) }
    }

    /// The next line, or nil after the last.
    mutating func next() throws(FileError) -> [UInt8]? {
      guard let first = heads.popLast() else { return nil }
      try advance(first.source)
      return first.line
    }

    private mutating func advance(_ source: Int) throws(FileError) {
      guard let line = try sources[source].next() else { return }
      var range = heads.startIndex..<heads.endIndex
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        let isBefore = line.lexicographicallyPrecedes(heads[middle].line)
        range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      heads.insert((line, source), at: range.lowerBound)
    }
  }
}

/// Gives the lines of a part of a file, of which 64 KB are in memory at a time.
struct LineReader {
  private let file: SourceFile?
  private var rest: Range<Int>
  private var window: ArraySlice<UInt8>

  private static let windowSize = 1 << 16

  init(_ file: SourceFile, _ range: Range<Int>) { (self.file, rest, window) = (file, range, []) }

  /// The lines of what is in memory.
  fileprivate init(_ bytes: [UInt8]) { (file, rest, window) = (nil, 0..<0, bytes[...]) }

  /// The next line, without its end, or nil after the last; one that is longer than 64 KB comes in
  /// pieces.
  mutating func next() throws(FileError) -> [UInt8]? {
    while true {
      if let end = window.firstIndex(of: UInt8(ascii: "\n")) {
        defer { window = window[(end + 1)...] }
        return Array(window[..<end])
      }
      guard let file, !rest.isEmpty, window.count < Self.windowSize else { break }
      let more = try file.bytes(in: rest.prefix(Self.windowSize))
      rest = more.isEmpty ? 0..<0 : rest.dropFirst(more.count)
      window += more
    }
    defer { window = [] }
    return window.isEmpty ? nil : Array(window)
  }
}

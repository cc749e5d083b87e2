import FoundationEssentials
import Glibc
import NoteArchive

/// The list that `sha256sum -c SHA256SUMS` checks an export by.
///
/// A file that an earlier run wrote and this one did not select keeps its line while it is there.
struct Checksums {
  private static let name = "SHA256SUMS"
  private let folder: OutputFolder
  private var digests: [String: String] = [:]

  init(in folder: OutputFolder) { self.folder = folder }

  mutating func add(_ digest: ContentDigest, _ path: String) {
    digests[path] = digest.description
  }

  /// Writes the list, unless it says the same already.
  mutating func write() throws {
    for (path, digest) in try earlier() where digests[path] == nil {
      let file = folder.path.appending(Array(path.utf8))
      if file.withCString({ access($0, F_OK) }) == 0 { digests[path] = digest }
    }
    let lines = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }
    _ = try folder.replace(Self.name, with: Array(lines.joined().utf8))
  }

  private func earlier() throws -> [(path: String, digest: String)] {
    let path = folder.path.appending(Array(Self.name.utf8)).text
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "  ", maxSplits: 1)
      return parts.count == 2 ? (String(parts[1]), String(parts[0])) : nil
    }
  }
}

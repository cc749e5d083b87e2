import Glibc
import NoteArchive

/// A folder that an export writes into: files appear whole or not at all, and what is there
/// already is overwritten only where the caller knows it for its own.
struct OutputFolder: Sendable {
  let path: FilePath
  /// Where files are written before they are put in their places: the folder of the whole export,
  /// so that what a killed run leaves is in one place.
  private let partials: FilePath

  /// What became of a file.
  enum Outcome: Sendable, Equatable {
    case written
    /// A file of this name and content was there.
    case unchanged
    /// Something else of this name was there; it was left alone.
    case occupied
  }

  init(path: FilePath) { (self.path, partials) = (path, path) }

  private init(path: FilePath, partials: FilePath) {
    (self.path, self.partials) = (path, partials)
  }

  /// The folder of this name within.
  func subfolder(_ name: String) -> OutputFolder {
    OutputFolder(path: path.appending(Array(name.utf8)), partials: partials)
  }

  /// Makes the folder, and those that lead to it.
  func make() throws(FileError) {
    var made = FilePath(bytes: [])
    for part in path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let parent = made.bytes.isEmpty ? FilePath(".") : made
      made = FilePath(bytes: made.bytes + part)
      if !made.bytes.isEmpty {
        if made.withCString({ mkdir($0, 0o777) }) == 0 {
          try Self.sync(parent)
        } else if errno != EEXIST, errno != EISDIR {
          throw .last
        }
      }
      made = FilePath(bytes: made.bytes + [UInt8(ascii: "/")])
    }
  }

  /// Makes the folder, whose parent is there, and is yet to be synced.
  func makeWithinParent() throws(FileError) {
    guard path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else { throw .last }
  }

  /// Makes durable which files the folder has.
  func sync() throws(FileError) { try Self.sync(path) }

  private static func sync(_ folder: FilePath) throws(FileError) {
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    // Some file systems have no such thing, and say that the argument is wrong.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  /// What `write` would come to.
  func wouldWrite(_ name: String, _ photo: Photo) throws(FileError) -> Outcome {
    switch try occupant(of: name, digest: photo.digest, byteCount: photo.byteSize) {
    case .nothing: .written
    case .same: .unchanged
    case .file, .other: .occupied
    }
  }

  /// Writes what `next` gives until it gives nil, unless a file of that content is there.
  ///
  /// A file of another content is left alone unless `isOurs` says of it that it may be replaced.
  func write<Failure: Error>(
    _ name: String, digest: ContentDigest, byteCount: Int,
    replacing isOurs: (SourceFile) throws -> Bool = { _ in false },
    next: () throws(Failure) -> [UInt8]?
  ) throws -> Outcome {
    var isReplacing = false
    switch try occupant(of: name, digest: digest, byteCount: byteCount) {
    case .nothing: break
    case .same: return .unchanged
    case .other: return .occupied
    case .file(let present):
      guard try isOurs(present) else { return .occupied }
      isReplacing = true
    }
    let partial = try PartialFile(in: partials)
    var hash = SHA256()
    while let bytes = try next() {
      hash.update(data: bytes)
      try partial.write(bytes)
    }
    let found = hash.finalize()
    guard found == digest else { throw ArchiveError.sourceChanged(expected: digest, found: found) }
    do throws(FileError) {
      try partial.move(to: path.appending(Array(name.utf8)), replacing: isReplacing)
    } catch {
      guard error.code == EEXIST else { throw error }
      return .occupied  // By what came meanwhile, or by a link that leads nowhere.
    }
    return .written
  }

  private enum Occupant {
    case nothing, same
    case file(SourceFile)
    /// A folder, a pipe and the like.
    case other
  }

  private func occupant(
    of name: String, digest: ContentDigest, byteCount: Int
  ) throws(FileError) -> Occupant {
    do throws(FileError) {
      guard let present = try SourceFile.open(path.appending(Array(name.utf8))) else {
        return .other
      }
      guard present.size == byteCount, try present.digest() == digest else {
        return .file(present)
      }
      return .same
    } catch {
      guard error.code == ENOENT else { throw error }
      return .nothing
    }
  }
}

import Glibc
import NoteArchive

/// A folder that an export writes into: files appear whole or not at all, and what is there
/// already is never overwritten.
struct OutputFolder: Sendable {
  let path: FilePath

  /// What became of a file.
  enum Outcome: Sendable, Equatable {
    case written
    /// A file of this name and content was there.
    case unchanged
    /// A file of this name and another content was there; it was left alone.
    case occupied
  }

  /// Makes the folder, and those that lead to it.
  func make() throws(FileError) {
    var made = FilePath(bytes: [])
    for part in path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      made = FilePath(bytes: made.bytes + part)
      if !made.bytes.isEmpty, made.withCString({ mkdir($0, 0o777) }) != 0, errno != EEXIST,
        errno != EISDIR
      {
        throw .last
      }
      made = FilePath(bytes: made.bytes + [UInt8(ascii: "/")])
    }
  }

  /// What `write` would come to.
  func wouldWrite(_ name: String, _ photo: Photo) -> Outcome {
    guard let present = try? SourceFile.open(path.appending(Array(name.utf8))) else {
      return .written
    }
    return present.size == photo.byteSize && (try? present.digest()) == photo.digest
      ? .unchanged : .occupied
  }

  /// Writes what `next` gives until it gives nil, unless a file of that content is there.
  func write<Failure: Error>(
    _ name: String, digest: ContentDigest, byteCount: Int,
    next: () throws(Failure) -> [UInt8]?
  ) throws -> Outcome {
    let target = path.appending(Array(name.utf8))
    do throws(FileError) {
      guard let present = try SourceFile.open(target) else { return .occupied }
      guard present.size == byteCount, try present.digest() == digest else { return .occupied }
      return .unchanged
    } catch {
      guard error.code == ENOENT else { throw error }
    }
    let partial = path.appending(
      Array(".photonotes-\(getpid())-\(UInt32.random(in: 0 ... .max)).part".utf8))
    let descriptor = partial.withCString {
      Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { throw FileError.last }
    var isOpen = true
    func discard() {
      if isOpen { close(descriptor) }
      _ = partial.withCString { unlink($0) }
    }
    do {
      var hash = SHA256()
      while let bytes = try next() {
        hash.update(data: bytes)
        try Self.write(bytes, to: descriptor)
      }
      let found = hash.finalize()
      guard found == digest else {
        throw ArchiveError.sourceChanged(expected: digest, found: found)
      }
      guard fdatasync(descriptor) == 0 else { throw FileError.last }
      isOpen = false
      guard close(descriptor) == 0 else { throw FileError.last }
      try Self.rename(partial, to: target)
    } catch {
      discard()
      throw error
    }
    return .written
  }

  /// Replaces a small file of our own where its content is to change.
  func replace(_ name: String, with bytes: [UInt8]) throws -> Outcome {
    let target = path.appending(Array(name.utf8))
    if let present = try? SourceFile.open(target), present.size == bytes.count,
      try present.digest() == SHA256.hash(data: bytes)
    {
      return .unchanged
    }
    _ = target.withCString { unlink($0) }
    var rest: [UInt8]? = bytes
    return try write(name, digest: SHA256.hash(data: bytes), byteCount: bytes.count) {
      defer { rest = nil }
      return rest
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + offset }, $0.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      offset += count
    }
  }

  /// Fails where the target is there: a link, unlike a rename, never takes another's place.
  private static func rename(_ partial: FilePath, to target: FilePath) throws(FileError) {
    let isLinked = partial.withCString { from in target.withCString { link(from, $0) } } == 0
    if isLinked {
      _ = partial.withCString { unlink($0) }
    } else if errno == EPERM || errno == ENOTSUP || errno == ENOSYS {
      // A file system without links, such as a memory card's.
      guard partial.withCString({ from in target.withCString { Glibc.rename(from, $0) } }) == 0
      else { throw .last }
    } else {
      throw .last
    }
  }
}

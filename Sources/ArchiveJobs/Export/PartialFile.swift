import Glibc

/// A file that is being written, under a name that nobody looks for; it is gone with this object,
/// unless it was moved to its place.
///
/// It is locked for as long as it is written: one that can be locked is what a killed run has left.
final class PartialFile: Sendable {
  let path: FilePath
  private let descriptor: Int32

  init(in folder: FilePath) throws(FileError) {
    while true {
      let name = "\(Self.prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))\(Self.suffix)"
      let path = folder.appending(Array(name.utf8))
      let descriptor = path.withCString {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
      guard descriptor >= 0 else { throw .last }
      _ = flock(descriptor, LOCK_EX)
      // Another run may have taken it for a leftover before it was locked.
      if path.withCString({ access($0, F_OK) }) == 0 {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      close(descriptor)
    }
  }

  deinit {
    _ = path.withCString { unlink($0) }  // Before the lock is let go of.
    close(descriptor)
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
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

  /// Makes the content durable and puts it in its place, where the next sync of the folder keeps it.
  ///
  /// A file that is there is replaced in one step, or else the error is `EEXIST`.
  func move(to target: FilePath, replacing: Bool) throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw .last }
    if !replacing {
      // A link, unlike a rename, never takes another's place.
      if path.withCString({ from in target.withCString { link(from, $0) } }) == 0 { return }
      // Some file systems, such as a memory card's, have no links.
      guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw .last }
    }
    guard path.withCString({ from in target.withCString { rename(from, $0) } }) == 0 else {
      throw .last
    }
  }

  /// Removes from a folder what runs have left there that were killed.
  static func removeLeftovers(in folder: FilePath) throws(FileError) {
    guard let stream = folder.withCString({ opendir($0) }) else { throw .last }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard isPartial(name) else { continue }
      let path = folder.appending(name)
      // Not through a link: it is none of ours.
      let descriptor = path.withCString { open($0, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = path.withCString { unlink($0) } }
      close(descriptor)
    }
  }

  private static let prefix = ".photonotes-"
  private static let suffix = ".part"

  private static func isPartial(_ name: [UInt8]) -> Bool {
    guard name.starts(with: prefix.utf8), name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    else { return false }
    let numbers = name.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return numbers.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
}

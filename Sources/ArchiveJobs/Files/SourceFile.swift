import Glibc

/// What the system answered to a call on a file.
struct FileError: Error, Equatable {
  /// The number of the error, as in `errno`.
  let code: Int32
  /// The system's words for it.
  var reason: String { String(cString: strerror(code)) }

  static var last: FileError { FileError(code: errno) }
}

/// A file that is read and never touched: not even its time of last access changes, where the
/// system lets us say so.
final class SourceFile: Sendable {
  let descriptor: Int32
  /// Bytes.
  let size: Int
  /// Milliseconds since 1970.
  let modifiedAt: Int

  private init(descriptor: Int32, status: stat) {
    self.descriptor = descriptor
    size = Int(status.st_size)
    modifiedAt = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1_000_000
  }

  /// Opens a regular file, or gives nil where the path leads to something else.
  static func open(_ path: FilePath) throws(FileError) -> SourceFile? {
    // Non-blocking, or opening a named pipe would wait for its writer for ever.
    let descriptor = try openUntouched(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = FileError.last
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return SourceFile(descriptor: descriptor, status: status)
  }

  /// Opens a file or folder for reading such that its access time stays as it is.
  static func openUntouched(_ path: FilePath, _ flags: Int32) throws(FileError) -> Int32 {
    // O_NOATIME (0o1000000, which the overlay lacks) is allowed to the file's owner alone.
    var descriptor = path.withCString { Glibc.open($0, flags | 0o1000000) }
    if descriptor < 0, errno == EPERM { descriptor = path.withCString { Glibc.open($0, flags) } }
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }

  deinit { close(descriptor) }

  /// Fills a part of `buffer` with the bytes from `offset` on; 0 at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last }
    }
  }

  /// The bytes of a part of the file; fewer where the file has become shorter.
  func bytes(in range: Range<Int>) throws(FileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < range.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try read(into: rest, at: range.lowerBound + filled)
      if count == 0 { break }
      filled += count
    }
    return Array(buffer[..<filled])
  }
}

import CImageCodecs

/// An encoded picture, read once from its first byte on, so that it never has to be in memory as a
/// whole.
///
/// For one task at a time; each picture has its own.
package final class ByteSource {
  private let readNext: (UnsafeMutableRawBufferPointer) throws -> Int
  private var peeked: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// What `readNext` threw; to the decoder the bytes ended there.
  private(set) var failure: (any Error)?

  /// A source that asks for bytes as they are needed.
  ///
  /// - Parameter readNext: Fills the buffer from its start, in part or in full, and returns the count
  ///   of bytes: 0 only at the end. Not called again after that, or after it has thrown.
  package init(_ readNext: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
    self.readNext = readNext
  }

  /// A source of bytes that are in memory already.
  package convenience init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    self.init { buffer in
      let part = rest.prefix(buffer.count)
      buffer.copyBytes(from: part)
      rest = rest.dropFirst(part.count)
      return part.count
    }
  }

  /// A source of bytes that are in memory already.
  package convenience init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// The next bytes, at most `count`, which stay to be read.
  func peek(_ count: Int) -> ArraySlice<UInt8> {
    if peeked.count < count {
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        while initializedCount < count {
          let rest = UnsafeMutableRawBufferPointer(buffer)[initializedCount...]
          let part = read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
          if part == 0 { break }
          initializedCount += part
        }
      }
      peeked = bytes[...]
    }
    return peeked.prefix(count)
  }

  /// Reads at least one byte, unless at the end.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if !peeked.isEmpty {
      let part = peeked.prefix(buffer.count)
      buffer.copyBytes(from: part)
      peeked = peeked.dropFirst(part.count)
      return part.count
    }
    if isAtEnd { return 0 }
    do {
      let count = try readNext(buffer)
      precondition((0...buffer.count).contains(count), "A source says how many bytes it gave")
      isAtEnd = count == 0
      return count
    } catch {
      failure = error
      isAtEnd = true
      return 0
    }
  }

  /// The source as C pulls from it, for as long as the caller keeps `self` alive.
  var pulled: codec_source {
    codec_source(context: Unmanaged.passUnretained(self).toOpaque()) { context, buffer, capacity in
      guard let context, let buffer else { return 0 }
      let source = Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
      return source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
    }
  }
}

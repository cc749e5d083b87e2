internal import CDigest
package import FoundationEssentials

/// SHA-256 (FIPS 180-4), by the processor's own instructions where it has them.
///
/// In the shape of CryptoKit's: `SHA256.hash(data: bytes)`, or `update` as the bytes come and
/// `finalize` after the last.
package struct SHA256: Sendable {
  private let isPortable: Bool
  private var state = digest_sha256_initial()
  /// What came since the last whole block: fewer than 64 bytes.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// The hash of nothing yet; a portable one uses no instructions that some processors lack.
  package init(isPortable: Bool = false) { self.isPortable = isPortable }

  /// Whether this processor has instructions for it.
  package static var isAccelerated: Bool { digest_sha256_is_accelerated() }

  /// The digest of `data`.
  package static func hash(data: some ContiguousBytes) -> ContentDigest {
    var hash = SHA256()
    hash.update(data: data)
    return hash.finalize()
  }

  /// Takes the bytes that come next.
  package mutating func update(data: some ContiguousBytes) {
    data.withUnsafeBytes { update(bufferPointer: $0) }
  }

  /// Takes the bytes that come next.
  package mutating func update(bufferPointer: UnsafeRawBufferPointer) {
    byteCount &+= UInt64(bufferPointer.count)
    var rest = bufferPointer[...]
    if !pending.isEmpty {
      let head = rest.prefix(64 - pending.count)
      pending += head
      rest = rest.dropFirst(head.count)
      guard pending.count == 64 else { return }
      take(pending, blockCount: 1)
      pending.removeAll(keepingCapacity: true)
    }
    let blockCount = rest.count / 64
    UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) { bytes in
      if let start = bytes.baseAddress { take(start, blockCount: blockCount) }
    }
    pending += rest.dropFirst(blockCount * 64)
  }

  /// The digest of all that came so far; more may come.
  package func finalize() -> ContentDigest {
    var padded = self
    let zeros = (64 + 55 - pending.count) % 64
    let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: (byteCount << 3) >> (8 * $0)) }
    padded.update(data: [0x80] + [UInt8](repeating: 0, count: zeros) + length)
    return padded.digest
  }

  private var digest: ContentDigest {
    let bytes = withUnsafeBytes(of: state.words) { words in
      words.bindMemory(to: UInt32.self).flatMap { word in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
      }
    }
    guard let digest = ContentDigest(bytes: bytes) else { preconditionFailure("Not 32 bytes") }
    return digest
  }

  private mutating func take(_ blocks: UnsafePointer<UInt8>, blockCount: Int) {
    if isPortable {
      digest_sha256_blocks_portable(&state, blocks, blockCount)
    } else {
      digest_sha256_blocks(&state, blocks, blockCount)
    }
  }
}

/// The SHA-256 of an original's bytes: its identity.
public struct ContentDigest: Hashable, Sendable {
  // The 32 bytes as four big-endian words: nothing is allocated, and their order is the bytes' order.
  private let word0: UInt64
  private let word1: UInt64
  private let word2: UInt64
  private let word3: UInt64

  /// The digest with these bytes; nil unless there are 32.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    (word0, word1, word2, word3) = (words[0], words[1], words[2], words[3])
  }

  /// The digest that these 64 hexadecimal digits, in either case, stand for; nil for any other text.
  public init?(hex: some StringProtocol) {
    let digits = hex.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue ?? 16 }
    guard digits.count == 64, digits.allSatisfy({ $0 < 16 }) else { return nil }
    self.init(bytes: stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [word0, word1, word2, word3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }
}

extension ContentDigest: CustomStringConvertible {
  /// The digest as 64 lowercase hexadecimal digits, as `sha256sum` prints it.
  public var description: String {
    [word0, word1, word2, word3].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension ContentDigest: Comparable {
  /// Orders digests as their bytes, and so as their hexadecimal digits.
  public static func < (a: ContentDigest, b: ContentDigest) -> Bool {
    (a.word0, a.word1, a.word2, a.word3) < (b.word0, b.word1, b.word2, b.word3)
  }
}

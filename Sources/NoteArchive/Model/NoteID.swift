import FoundationEssentials
import Synchronization

/// A note's identity: a version 7 UUID (RFC 9562), which sorts by the time at which it was made.
public struct NoteID: Hashable, Sendable {
  /// The 16 bytes, in the order in which they are written.
  public let bytes: [UInt8]

  /// Makes an identity that sorts after every other one made by this process.
  public init() {
    bytes = Self.clock.withLock { $0.next() }
  }

  /// The identity of 16 bytes, or nil for any other number of them.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// The identity that is written as `text`, hyphens and case aside; nil where that is no UUID.
  public init?(_ text: String) {
    guard let prefix = Prefix(text), prefix.low == prefix.high else { return nil }
    self = prefix.low
  }

  /// The first and the last identity that begin with some hexadecimal digits.
  package struct Prefix {
    package let low, high: NoteID

    /// Nil where `text` is empty, too long, or holds anything but hexadecimal digits and hyphens.
    package init?(_ text: String) {
      let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.map(UnicodeScalar.init)
        .map { Character($0).hexDigitValue }
      guard (1...32).contains(digits.count), !digits.contains(nil) else { return nil }
      let known = digits.compactMap { $0 }
      func filled(with digit: Int) -> NoteID {
        let all = known + Array(repeating: digit, count: 32 - known.count)
        return NoteID(packed: (0..<16).map { UInt8(all[2 * $0] << 4 | all[2 * $0 + 1]) })
      }
      (low, high) = (filled(with: 0), filled(with: 15))
    }
  }

  private init(packed: [UInt8]) { bytes = packed }

  private static let clock = Mutex(Clock())

  /// Makes UUIDs in order: milliseconds, then a 12-bit counter, then 62 random bits.
  private struct Clock {
    var milliseconds: UInt64 = 0
    var counter: UInt64 = 0

    mutating func next() -> [UInt8] {
      let now = UInt64(max(0, Date.now.timeIntervalSince1970 * 1000))
      if now > milliseconds {
        (milliseconds, counter) = (now, UInt64.random(in: 0..<2048))
      } else {
        counter += 1  // The clock stands still or was set back: go on from the last one made.
        if counter > 0xfff { (milliseconds, counter) = (milliseconds + 1, 0) }
      }
      let high = milliseconds << 16 | 0x7000 | counter
      let low = UInt64.random(in: 0...UInt64.max) >> 2 | 0x8000_0000_0000_0000
      return [high, low].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
      }
    }
  }
}

extension NoteID: Comparable {
  /// Orders by the time at which the identities were made.
  public static func < (left: NoteID, right: NoteID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension NoteID: CustomStringConvertible {
  /// The usual form: 36 characters, lowercase, with hyphens.
  public var description: String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append("-") }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}

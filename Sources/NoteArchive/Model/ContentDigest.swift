/// tmp
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  public let bytes: [UInt8]
  public init?(bytes: [UInt8]) { guard bytes.count == 32 else { return nil }; self.bytes = bytes }
  public var description: String { "" }
}
package struct SHA256 { 
  package init() {}
  package mutating func update(_ bytes: [UInt8]) {}
  package func finalize() -> ContentDigest { ContentDigest(bytes: Array(repeating: 0, count: 32))! }
}

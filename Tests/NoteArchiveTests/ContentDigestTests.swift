import NoteArchive
import Testing

@Suite struct ContentDigestTests {
  private let hex = "00ff10a5deadbeef0123456789abcdeffedcba9876543210f0e1d2c3b4a59687"

  @Test func `a digest is written and read as hexadecimal digits`() throws {
    let digest = try #require(ContentDigest(hex: hex))
    #expect(digest.description == hex)
    #expect(ContentDigest(hex: hex.uppercased()) == digest)
    #expect(ContentDigest(bytes: digest.bytes) == digest)
    #expect(digest.bytes.prefix(4) == [0x00, 0xFF, 0x10, 0xA5] && digest.bytes.count == 32)
  }

  @Test func `anything else is no digest`() {
    #expect(ContentDigest(hex: "") == nil)
    #expect(ContentDigest(hex: hex.dropLast()) == nil)
    #expect(ContentDigest(hex: hex + "0") == nil)
    #expect(ContentDigest(hex: hex.dropLast() + "g") == nil)
    #expect(ContentDigest(hex: hex.dropLast() + "８") == nil)
    #expect(ContentDigest(bytes: [UInt8](repeating: 0, count: 31)) == nil)
  }

  @Test func `digests are ordered as their digits`() {
    var generator = SystemRandomNumberGenerator()
    let digests = (0..<200).compactMap { _ in
      ContentDigest(
        bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) & 0x81 })
    }
    #expect(digests.count == 200)
    #expect(digests.sorted().map(\.description) == digests.map(\.description).sorted())
    #expect(Set(digests).count == 200)
  }
}

import FoundationEssentials
import NoteArchive
import Testing

@Suite struct SHA256Tests {
  /// Both ways there are; on a processor without SHA instructions they are the same.
  static let portable = [true, false]

  /// Vectors of FIPS 180-2, appendix B, and of NIST's examples: one block, two blocks, four, none.
  @Test(
    arguments: portable,
    [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func `the standard's examples have the standard's digests`(
    isPortable: Bool, example: (text: String, digest: String)
  ) {
    var hash = SHA256(isPortable: isPortable)
    hash.update(data: Array(example.text.utf8))
    #expect(hash.finalize().description == example.digest)
  }

  @Test(arguments: portable)
  func `a million times a`(isPortable: Bool) {
    var hash = SHA256(isPortable: isPortable)
    for count in [999, 1, 63_000, 64, 900_000, 35_936] {
      hash.update(data: [UInt8](repeating: UInt8(ascii: "a"), count: count))
    }
    #expect(
      "\(hash.finalize())" == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// The digest of the digests of 0, 1, … 257 bytes of a pattern, as `sha256sum` finds it:
  /// `python3 -c "import hashlib as h; s=h.sha256; print(s(b''.join(s(bytes(i*7%251 for i in
  /// range(n))).digest() for n in range(258))).hexdigest())"`.
  @Test(arguments: portable)
  func `every length around the edges of blocks is padded rightly`(isPortable: Bool) {
    var all = SHA256(isPortable: isPortable)
    for count in 0...257 {
      var hash = SHA256(isPortable: isPortable)
      hash.update(data: pattern(count))
      all.update(data: hash.finalize().bytes)
    }
    #expect(
      "\(all.finalize())" == "dfdfb6584a241ae7448b52dcca6a03626f3ff5bfc6aa93ef2f1eac96fae4ae21")
  }

  @Test(arguments: portable)
  func `bytes may come in any pieces`(isPortable: Bool) {
    let bytes = pattern(1000)
    let whole = SHA256.hash(data: bytes)
    for size in [1, 2, 63, 64, 65, 127, 128, 129, 999] {
      var hash = SHA256(isPortable: isPortable)
      for start in stride(from: 0, to: bytes.count, by: size) {
        hash.update(data: bytes[start..<min(start + size, bytes.count)])
        hash.update(data: [])
      }
      #expect(hash.finalize() == whole, "\(size)")
    }
  }

  @Test func `a digest so far does not end the hash`() {
    var hash = SHA256()
    hash.update(data: Array("ab".utf8))
    #expect(hash.finalize() == SHA256.hash(data: Data("ab".utf8)))
    hash.update(data: Array("c".utf8))
    #expect(hash.finalize() == SHA256.hash(data: Array("abc".utf8)))
  }

  @Test func `bytes that are not aligned have the same digest`() {
    let bytes = pattern(256 + 16)
    for offset in 0..<16 {
      let slice = bytes[offset..<offset + 256]
      #expect(SHA256.hash(data: slice) == SHA256.hash(data: Array(slice)))
    }
  }

  private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 * 7 % 251) } }
}

/// The order of an integer's bytes in a file.
enum ByteOrder {
  case littleEndian, bigEndian
}

extension Span<UInt8> {
  /// The unsigned 16-bit integer at `offset`, or nil where the bytes end before it does.
  func uint16(at offset: Int, _ order: ByteOrder = .bigEndian) -> Int? {
    guard offset >= 0, count >= 2, offset <= count - 2 else { return nil }
    let first = Int(self[offset])
    let second = Int(self[offset + 1])
    return order == .bigEndian ? first << 8 | second : second << 8 | first
  }

  /// The unsigned 32-bit integer at `offset`, or nil where the bytes end before it does.
  func uint32(at offset: Int, _ order: ByteOrder = .bigEndian) -> Int? {
    guard let first = uint16(at: offset, order), let second = uint16(at: offset + 2, order) else {
      return nil
    }
    return order == .bigEndian ? first << 16 | second : second << 16 | first
  }
}

/// The order in which a person counts file names: `IMG_2` before `IMG_10`, case aside.
enum NaturalOrder {
  /// Whether `left` comes first: by the names without their extensions, so that `pears.jpg` comes
  /// before `pears copy.jpg`, then by the extensions.
  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let (l, r) = (parts(left), parts(right))
    return compare(l.stem, r.stem) ?? compare(l.ending, r.ending)
      ?? left.lexicographicallyPrecedes(right)  // Equal but for case or zeros in front.
  }

  /// Nil for names that a person would call the same.
  private static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool? {
    var (l, r) = (left, right)
    while let a = l.first, let b = r.first {
      if isDigit(a), isDigit(b) {
        let (x, y) = (number(&l), number(&r))
        if x.count != y.count { return x.count < y.count }
        if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
      } else {
        let (x, y) = (lowercased(a), lowercased(b))
        if x != y { return x < y }
        l.removeFirst()
        r.removeFirst()
      }
    }
    return l.isEmpty == r.isEmpty ? nil : l.isEmpty
  }

  private static func parts(
    _ name: [UInt8]
  ) -> (stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>) {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    return (name[..<dot], name[dot...])
  }

  /// Takes the digits in front off, and gives them without their zeros in front.
  private static func number(_ name: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = name.prefix(while: isDigit)
    name.removeFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}

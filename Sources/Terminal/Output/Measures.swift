/// A number of bytes as people read it: 1000 to the kB, three digits or so.
package struct ByteCount: CustomStringConvertible, Sendable {
  let bytes: Int64

  /// A number of bytes.
  package init(_ bytes: some BinaryInteger) { self.bytes = Int64(clamping: bytes) }

  /// “999 bytes”, “1.5 kB”, “24 MB”.
  package var description: String {
    if bytes < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var value = Double(bytes)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB", "PB", "EB"] where value >= 999.5 {
      (value, unit) = (value / 1000, next)
    }
    return "\(threeDigits(value)) \(unit)"
  }
}

/// “1.5”, “24”, “150”: one decimal below 10.
func threeDigits(_ value: Double) -> String {
  let tenths = (value * 10).rounded()
  return tenths < 100 && tenths.truncatingRemainder(dividingBy: 10) != 0
    ? "\(tenths / 10)" : "\(Int64(value.rounded()))"
}

extension Duration {
  /// The span as a clock shows it: “0:06”, “2:05:00”.
  package var clockText: String {
    let seconds = max(0, components.seconds)
    let twoDigits = { (value: Int64) in (value < 10 ? "0" : "") + String(value) }
    let minutes = seconds / 60 % 60
    return seconds < 3600
      ? "\(minutes):\(twoDigits(seconds % 60))"
      : "\(seconds / 3600):\(twoDigits(minutes)):\(twoDigits(seconds % 60))"
  }
}

/// A number and its noun: “1 note”, “12 notes”.
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Milliseconds, many of one kind.
struct Column {
  private var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }

  func print(_ name: String, unit: String = "ms") {
    let sorted = values.sorted()
    func at(_ share: Double) -> String { rounded(sorted[Int(Double(sorted.count - 1) * share)]) }
    Swift.print(
      padded(name, 36), "median", at(0.5), "· 90 %", at(0.9), "· worst", at(1), unit)
  }
}

/// The number with two or three digits that count.
func rounded(_ value: Double) -> String {
  let digits = value < 10 ? 100.0 : value < 100 ? 10 : 1
  let scaled = (value * digits).rounded() / digits
  return digits == 1 ? String(Int(scaled)) : String(scaled)
}

/// The text in a field so wide, at its left end or, with a negative width, at its right.
func padded(_ text: String, _ width: Int) -> String {
  let columns = text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
  let spaces = String(repeating: " ", count: max(0, abs(width) - columns))
  return width < 0 ? spaces + text : text + spaces
}

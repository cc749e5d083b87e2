/// Where the rows of a list were in the list before.
///
/// What both lists begin and end with costs no memory, so that a change in a long list is cheap.
struct ListAlignment {
  private let prefix: Int
  private let suffix: Int
  private let shift: Int  // From an offset in the common suffix to the one in the old list.
  private let newCount: Int
  private var middle: [Int: Int] = [:]
  private let newRows: [Int]

  /// Aligns lists in which no row comes twice.
  init(from oldRows: [Int], to newRows: [Int]) {
    let shorter = min(oldRows.count, newRows.count)
    let prefix = (0..<shorter).first { oldRows[$0] != newRows[$0] } ?? shorter
    let suffix =
      (0..<shorter - prefix).first {
        oldRows[oldRows.count - 1 - $0] != newRows[newRows.count - 1 - $0]
      } ?? shorter - prefix
    (self.prefix, self.suffix, self.newRows) = (prefix, suffix, newRows)
    shift = oldRows.count - newRows.count
    newCount = newRows.count
    for offset in prefix..<oldRows.count - suffix { middle[oldRows[offset]] = offset }
  }

  /// The offset at which the row at `offset` of the new list was in the old one; nil where it is new.
  func oldOffset(of offset: Int) -> Int? {
    if offset < prefix { return offset }
    if offset >= newCount - suffix { return offset + shift }
    return middle[newRows[offset]]
  }
}

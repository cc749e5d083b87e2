/// What turns one list into another.
public struct ListDifference<Element: Sendable & Equatable>: Sendable, Equatable {
  /// One step, with offsets from 0.
  public enum Change: Sendable, Equatable {
    /// The element is no longer in the list; it was at an offset of the old one.
    case remove(Element, at: Int)
    /// The element has another place among those that stayed, from an offset of the old list to one
    /// of the new. The element is as it is now, changed or not.
    case move(Element, from: Int, to: Int)
    /// The element is new, at an offset of the new list.
    case insert(Element, at: Int)
    /// The element stayed, and is now as given, at an offset of the new list.
    case update(Element, at: Int)
  }

  /// Removals first, then moves, insertions and updates, each by its offset.
  ///
  /// As a table view takes them: removals and the origins of moves are in terms of the old list, all
  /// other offsets in terms of the new one. There are as few moves as can be.
  public let changes: [Change]

  /// Whether both lists are the same.
  public var isEmpty: Bool { changes.isEmpty }

  /// Compares lists whose elements are told apart by `rows`.
  init(
    from old: (rows: [Int], elements: [Element]), to new: (rows: [Int], elements: [Element])
  ) {
    let alignment = ListAlignment(from: old.rows, to: new.rows)
    let origins = new.rows.indices.map { alignment.oldOffset(of: $0) }
    var stayed = [Bool](repeating: false, count: old.rows.count)
    for case let origin? in origins { stayed[origin] = true }
    let unmoved = longestIncrease(in: origins)
    var (moves, insertions, updates): ([Change], [Change], [Change]) = ([], [], [])
    for (offset, origin) in origins.enumerated() {
      let element = new.elements[offset]
      switch origin {
      case nil: insertions.append(.insert(element, at: offset))
      case let origin? where !unmoved[offset]:
        moves.append(.move(element, from: origin, to: offset))
      case let origin?:
        if old.elements[origin] != element { updates.append(.update(element, at: offset)) }
      }
    }
    let removals = stayed.indices.filter { !stayed[$0] }.map { offset in
      Change.remove(old.elements[offset], at: offset)
    }
    changes = removals + moves + insertions + updates
  }

  /// The new list, made of the old one.
  public func applied(to old: [Element]) -> [Element] {
    var leaving = Set<Int>()
    var arriving: [Int: Element] = [:]
    var updated: [Int: Element] = [:]
    for change in changes {
      switch change {
      case .remove(_, let offset): leaving.insert(offset)
      case .move(let element, let origin, let offset):
        leaving.insert(origin)
        arriving[offset] = element
      case .insert(let element, let offset): arriving[offset] = element
      case .update(let element, let offset): updated[offset] = element
      }
    }
    var staying = old.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
    return (0..<old.count - leaving.count + arriving.count).map { offset in
      if let element = arriving[offset] { return element }
      let origin = staying.next()
      return updated[offset] ?? old[origin ?? 0]
    }
  }
}

/// Marks a longest choice of elements that increase from left to right, passing over nils.
///
/// By patience sorting: n log n steps; n where all increase already.
private func longestIncrease(in numbers: [Int?]) -> [Bool] {
  var ends: [Int] = []  // The index of the smallest end of an increase of each length.
  var previous = [Int](repeating: -1, count: numbers.count)
  func value(at index: Int) -> Int { numbers[index] ?? -1 }
  for (index, number) in numbers.enumerated() {
    guard let number else { continue }
    var (low, high) = (0, ends.count)
    if let end = ends.last, value(at: end) < number { low = high }
    while low < high {
      let middle = (low + high) / 2
      if value(at: ends[middle]) < number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[index] = ends[low - 1] }
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var chosen = [Bool](repeating: false, count: numbers.count)
  var index = ends.last ?? -1
  while index >= 0 {
    chosen[index] = true
    index = previous[index]
  }
  return chosen
}

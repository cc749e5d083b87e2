import TestSupport
import Testing

@testable import NoteArchive

@Suite struct ListDifferenceTests {
  /// An element whose row tells it apart and whose content may change.
  private struct Item: Equatable, Sendable {
    var row: Int
    var content: Int
  }

  private func difference(_ old: [Item], _ new: [Item]) -> ListDifference<Item> {
    ListDifference(from: (old.map(\.row), old), to: (new.map(\.row), new))
  }

  @Test func `a difference applied to the old list gives the new one`() {
    var random = SplitMix(seed: 41)
    var kinds: Set<String> = []
    for _ in 0..<3000 {
      let rows = Array(0..<Int.random(in: 0...12, using: &random))
      func list() -> [Item] {
        let some = rows.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let ordered = Bool.random(using: &random) ? some : some.shuffled(using: &random)
        return ordered.map { Item(row: $0, content: Int.random(in: 0..<3, using: &random)) }
      }
      let (old, new) = (list(), list())
      let difference = difference(old, new)
      #expect(difference.applied(to: old) == new)
      #expect(difference.isEmpty == (old == new))
      for change in difference.changes {
        switch change {
        case .remove(let item, let offset):
          kinds.insert("remove")
          #expect(old[offset] == item && !new.contains { $0.row == item.row })
        case .insert(let item, let offset):
          kinds.insert("insert")
          #expect(new[offset] == item && !old.contains { $0.row == item.row })
        case .move(let item, let origin, let offset):
          kinds.insert("move")
          #expect(new[offset] == item && old[origin].row == item.row)
        case .update(let item, let offset):
          kinds.insert("update")
          #expect(new[offset] == item && old.contains { $0.row == item.row && $0 != item })
        }
      }
    }
    #expect(kinds == ["remove", "insert", "move", "update"])
  }

  @Test func `one element that changes its place is one move`() {
    let old = (0..<100).map { Item(row: $0, content: 0) }
    var new = old
    new.insert(new.remove(at: 90), at: 3)
    #expect(difference(old, new).changes == [.move(old[90], from: 90, to: 3)])
  }

  @Test func `a list turned around moves all elements but one`() {
    let old = (0..<20).map { Item(row: $0, content: 0) }
    #expect(difference(old, old.reversed()).changes.count == 19)
  }
}

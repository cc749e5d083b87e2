import Terminal
import Testing

@Suite struct TableTests {
  private var table: Table {
    var table = Table([.init("date"), .init("photos", .trailing), .init("text", gives: true)])
    table.append(["2024-05-31", "3", "A walk\nin the morning"])
    table.append(["", "12", "京都の庭"])
    return table
  }

  @Test func `columns are aligned by what a terminal shows`() {
    #expect(
      table.lines(width: nil) == [
        "date        photos  text", #"2024-05-31       3  A walk\nin the morning"#,
        "                12  京都の庭",
      ])
  }

  @Test func `a column that gives is cut to the terminal's width`() {
    #expect(
      table.lines(width: 30) == [
        "date        photos  text", #"2024-05-31       3  A walk\ni…"#,
        "                12  京都の庭",
      ])
    #expect(table.lines(width: 5).map(displayWidth).max() == 28)
  }

  @Test func `a table without rows is its titles`() {
    #expect(Table([.init("a"), .init("b")]).lines(width: 80) == ["a  b"])
  }
}

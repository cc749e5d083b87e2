/// Rows of text in columns, aligned by what a terminal makes of them.
package struct Table: Sendable {
  /// A column: its title, and how it fits in.
  package struct Column: Sendable {
    let title: String
    let alignment: Alignment
    let gives: Bool

    /// A column; where it `gives`, its text may be cut so that the row fits.
    package init(_ title: String, _ alignment: Alignment = .leading, gives: Bool = false) {
      (self.title, self.alignment, self.gives) = (title, alignment, gives)
    }
  }

  /// The side of its column that a text stands at.
  package enum Alignment: Sendable { case leading, trailing }

  let columns: [Column]
  private var rows: [[String]] = []

  /// A table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row: a text for each column.
  package mutating func append(_ row: [String]) {
    precondition(row.count == columns.count, "A row has a text for each column.")
    rows.append(row)
  }

  /// The table's lines, the titles' first.
  ///
  /// Columns that give are cut so that a line fits `width`, unless that is nil.
  package func lines(width: Int?) -> [String] {
    let all = [columns.map(\.title)] + rows.map { $0.map { printable($0) } }
    var widths = columns.indices.map { column in all.map { displayWidth($0[column]) }.max() ?? 0 }
    if let width {
      // The widest that gives is cut first; none below its title or 8 columns.
      var excess = widths.reduce(2 * (columns.count - 1), +) - width
      while excess > 0 {
        let giving = columns.indices.filter {
          columns[$0].gives && widths[$0] > max(8, displayWidth(columns[$0].title))
        }
        guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { break }
        widths[widest] -= 1
        excess -= 1
      }
    }
    return all.map { row in
      var line = ""
      for (index, column) in columns.enumerated() {
        let text = truncated(row[index], to: widths[index])
        let pad = String(repeating: " ", count: widths[index] - displayWidth(text))
        line += (index > 0 ? "  " : "") + (column.alignment == .leading ? text + pad : pad + text)
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}

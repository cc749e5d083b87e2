/// The candidate that `word` is most likely a misspelling of, or nil where none is near.
///
/// Near is one edit in three letters; an edit inserts, deletes, replaces a letter or swaps two
/// neighbours.
package func closest(to word: String, among candidates: [String]) -> String? {
  let near = candidates.map { (name: $0, edits: edits(Array(word), Array($0))) }
    .filter { $0.edits <= max(1, min(word.count, $0.name.count) / 3) }
  return near.min { $0.edits < $1.edits }?.name
}

/// The edits between two words: their optimal string alignment distance.
private func edits(_ a: [Character], _ b: [Character]) -> Int {
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, rows[i - 1][j - 1] + 1)
      }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}

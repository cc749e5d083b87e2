import QueryLanguage
import SQLite

/// The answer to a request, as the archive stood at one end of the log.
struct FetchedAnswer<Element: Sendable & Equatable>: Sendable {
  var request: FetchRequest<Element>
  /// Where the log of changes ended; nil as long as nothing was asked.
  var position: Int?
  /// The ids of the rows in the order of the list, and what was made of each.
  var rows: [Int]
  var elements: [Element]
  var sections: [(name: String?, range: Range<Int>)]

  /// The answer before the first one.
  init(to request: FetchRequest<Element>) {
    (self.request, position, rows, elements, sections) = (request, nil, [], [], [])
  }

  private init(
    to request: FetchRequest<Element>, at position: Int, _ list: GroupedRows,
    _ elements: [Element]
  ) {
    (self.request, self.position, self.elements) = (request, position, elements)
    (rows, sections) = (list.rows, list.sections)
  }

  /// Whether a person would see the same list.
  func hasSameList(as other: Self) -> Bool {
    rows == other.rows && elements == other.elements
      && sections.elementsEqual(other.sections) { $0 == $1 }
  }

  /// The answer to a request as the archive stands now; this answer where nothing concerns it.
  ///
  /// Only what has changed since is read again. The query itself is asked anew where a record that
  /// changed is in the list, or belongs into it.
  func next(to request: FetchRequest<Element>, in archive: Archive) throws(ArchiveError) -> Self {
    let isSameRequest = request == self.request
    if isSameRequest, let position {
      let end = try archive.read { connection throws(DatabaseError) in
        try ChangeLog.end(&connection)
      }
      if end == position { return self }
    }
    let entity = request.entity
    let readRows = try request.rows()
    let condition = try request.condition()

    return try archive.read { connection throws(DatabaseError) in
      let end = try ChangeLog.end(&connection)
      let changed = try changedRows(of: entity, &connection, end: end)
      if isSameRequest, let changed {
        var same = self
        same.position = end
        if try !isTouched(by: changed, condition, &connection) { return same }
      }
      let list = try readRows(&connection)
      let alignment = ListAlignment(from: changed == nil ? [] : self.rows, to: list.rows)
      var elements: [Element] = []
      elements.reserveCapacity(list.rows.count)
      for (offset, row) in list.rows.enumerated() {
        if let old = alignment.oldOffset(of: offset), changed?.contains(row) == false {
          elements.append(self.elements[old])
        } else if let element = try entity.read(row, position == nil ? 0 : end, &connection) {
          elements.append(element)
        } else {
          throw DatabaseError(unreadableRow: row, of: entity.entity.table)
        }
      }
      return Self(to: request, at: end, list, elements)
    }
  }

  /// The rows that were written since; nil where all have to be taken for changed.
  private func changedRows(
    of entity: EntityDescription<Element>, _ connection: inout Connection, end: Int
  ) throws(DatabaseError) -> Set<Int>? {
    let isSameTable = entity.entity.table == request.entity.entity.table
    guard let position, isSameTable, end - position < ChangeLog.length else { return nil }
    let (log, values) = ChangeLog.entries(of: entity.logName, after: position)
    let sql =
      entity.logsItsRows
      ? log
      : "SELECT n.id FROM \(entity.entity.table) n WHERE \(entity.loggedRecord) IN (\(log))"
    return Set(try connection.all(sql, values) { $0.int(0) })
  }

  /// Whether one of the changed rows is in the list, or may belong into it.
  private func isTouched(
    by changed: Set<Int>, _ condition: Query.SQL, _ connection: inout Connection
  ) throws(DatabaseError) -> Bool {
    let entity = request.entity
    // A photo that is gone can't be found by its note any more.
    guard let position, entity.logsItsRows else { return true }
    if changed.isEmpty { return false }
    if rows.contains(where: changed.contains) { return true }
    let (log, values) = ChangeLog.entries(of: entity.logName, after: position)
    return try connection.first(
      "SELECT 1 FROM \(entity.entity.table) n WHERE n.id IN (\(log)) AND (\(condition.text)) LIMIT 1",
      values + condition.bindings.map { Value($0) }
    ) { _ in true } ?? false
  }
}

extension DatabaseError {
  /// A row that a query gives and that can't be made into a value.
  fileprivate init(unreadableRow row: Int, of table: String) {
    self.init(code: 11, message: "row \(row) of \(table) can't be read")  // SQLITE_CORRUPT
  }
}

public import QueryLanguage
import SQLite

/// What a list shows: of which records, which of them, in which order and groups, and how many.
public struct FetchRequest<Element: Sendable & Equatable>: Sendable, Equatable {
  /// What the records are.
  public var entity: EntityDescription<Element>
  /// What holds for the records.
  public var predicate: Query.Predicate
  /// Records that the descriptors leave equal come in the order of their identity.
  public var sortDescriptors: [Query.SortDescriptor]
  /// The most records to give, before they are grouped; nil for all.
  public var limit: Int?
  /// What the list is grouped by; nil for a list without sections.
  public var sectionKey: SectionKey?

  /// Asks for the records of `entity` that `predicate` holds for.
  public init(
    _ entity: EntityDescription<Element>, where predicate: Query.Predicate = .constant(true),
    sortedBy sortDescriptors: [Query.SortDescriptor] = [], limit: Int? = nil,
    groupedBy sectionKey: SectionKey? = nil
  ) {
    (self.entity, self.predicate, self.sortDescriptors) = (entity, predicate, sortDescriptors)
    (self.limit, self.sectionKey) = (limit, sectionKey)
  }
}

extension FetchRequest {
  /// What reads the rows that are asked for, in order, and brings those of a section together.
  ///
  /// - Throws: `ArchiveError.query` where a part of the request does not fit the entity.
  func rows() throws(ArchiveError) -> (inout Connection) throws(DatabaseError) -> GroupedRows {
    let readIDs = try ids()
    guard let sectionKey else {
      return { connection throws(DatabaseError) in GroupedRows(try readIDs(&connection)) }
    }
    let table = entity.entity.table
    let value = try ArchiveError.telling { () throws(Query.Problem) in
      try Query.SQL.value(of: sectionKey.path, on: entity.entity, alias: "n")
    }
    return { connection throws(DatabaseError) in
      var rows: [(id: Int, value: Query.Value)] = []
      for id in try readIDs(&connection) {
        let value = try connection.rows(
          "SELECT \(value) FROM \(verbatim: table) n WHERE n.id=\(.integer(Int64(id)))"
        ) { Query.Value($0.value(0)) }
        rows.append((id, value.first ?? .null))
      }
      return GroupedRows(rows, by: sectionKey)
    }
  }

  /// What reads the ids of the rows in order; of notes, by way of the search index.
  private func ids() throws(ArchiveError) -> (inout Connection) throws(DatabaseError) -> [Int] {
    if let noteQuery {
      let plan = try NotePlan(noteQuery)
      return { connection throws(DatabaseError) in try plan.rows(&connection) }
    }
    let order = try ArchiveError.telling { () throws(Query.Problem) in
      try Query.SQL.order(sortDescriptors, on: entity.entity, alias: "n")
    }
    let limit: Query.SQL = limit.map { " LIMIT \(.integer(Int64($0)))" } ?? ""
    let sql: Query.SQL = """
      SELECT n.id FROM \(verbatim: entity.entity.table) n WHERE \(try condition()) \
      ORDER BY \(order)\(limit)
      """
    return { connection throws(DatabaseError) in try connection.rows(sql) { $0.int(0) } }
  }

  /// The SQL that is true of the rows `n` that are asked for, order and limit aside.
  func condition() throws(ArchiveError) -> Query.SQL {
    if let noteQuery { return try noteQuery.condition() }
    return try ArchiveError.telling { () throws(Query.Problem) in
      let condition = try Query.SQL.condition(predicate, on: entity.entity, alias: "n")
      return "(\(entity.scope)) AND (\(condition))"
    }
  }

  /// The same as a query for notes, which knows the search index.
  private var noteQuery: NoteQuery? {
    entity.place.map { NoteQuery(predicate, sortedBy: sortDescriptors, limit: limit, in: $0) }
  }
}

extension FetchRequest<Note> {
  /// Asks for the notes that `predicate` holds for, newest first unless said otherwise.
  public init(
    where predicate: Query.Predicate = .constant(true),
    sortedBy sortDescriptors: [Query.SortDescriptor] = [.init("date", ascending: false)],
    limit: Int? = nil, groupedBy sectionKey: SectionKey? = nil
  ) {
    self.init(
      .notes, where: predicate, sortedBy: sortDescriptors, limit: limit, groupedBy: sectionKey)
  }
}

extension Archive {
  /// Lends each record that is asked for to `body`, in order, with the name of its section.
  ///
  /// Only row ids are held, 8 bytes each, and no snapshot is kept open meanwhile: a record that
  /// another program deletes for good in between is left out.
  public func forEach<Element>(
    of request: FetchRequest<Element>, _ body: (Element, _ section: String?) throws -> Void
  ) throws {
    let readRows = try request.rows()
    let list = try read { connection throws(DatabaseError) in try readRows(&connection) }
    let sections = list.sections.isEmpty ? [(nil, list.rows.indices)] : list.sections
    for (section, range) in sections {
      for row in list.rows[range] {
        let element = try read { connection throws(DatabaseError) in
          try request.entity.read(row, 0, &connection)
        }
        if let element { try body(element, section) }
      }
    }
  }
}

extension Sequence where Element: Query.Record {
  /// The records in the order of the descriptors; equal ones stay as they were.
  ///
  /// - Throws: A problem with a descriptor, or with an aggregate of a record.
  public func sorted(
    by descriptors: [Query.SortDescriptor], on entity: Query.Entity
  ) throws(Query.Problem) -> [Element] {
    var keys: [Query.Evaluator.Key] = []
    for descriptor in descriptors { keys.append(try .init(descriptor, on: entity)) }
    var rows: [(record: Element, values: [Query.Value])] = []
    for record in self {
      var values: [Query.Value] = []
      for key in keys { values.append(try key.value(of: record)) }
      rows.append((record, values))
    }
    rows.sort { left, right in
      for (index, key) in keys.enumerated() {
        let order = left.values[index].position(beside: right.values[index])
        if order != 0 { return key.ascending ? order < 0 : order > 0 }
      }
      return false
    }
    return rows.map(\.record)
  }
}

extension Query.Value {
  /// The order of two values where nil has a place too, before all else.
  fileprivate func position(beside other: Query.Value) -> Int {
    if self == .null || other == .null { return self == other ? 0 : self == .null ? -1 : 1 }
    return order(to: other) ?? 0
  }
}

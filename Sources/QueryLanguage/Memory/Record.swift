extension Query {
  /// What a predicate can be asked about in memory.
  public protocol Record {
    /// What is under a field of its entity.
    func value(for field: String) -> RecordValue
  }

  /// What is under a field of a record.
  public enum RecordValue {
    /// A single value.
    case value(Value)
    /// Values in an order.
    case values([Value])
    /// A related record, or none.
    case record((any Record)?)
    /// Related records in an order.
    case records([any Record])
  }
}

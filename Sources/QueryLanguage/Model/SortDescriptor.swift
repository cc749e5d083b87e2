extension Query {
  /// One key of an order.
  ///
  /// Text is ordered by its code points, nil comes before all else, and rows that no descriptor
  /// tells apart come in the order of their identity, in the direction of the last descriptor.
  public struct SortDescriptor: Sendable, Hashable {
    /// The path to a single value, such as `date`, `note.date` or `photos.@count`.
    public var path: Path
    /// Whether the smallest comes first.
    public var ascending: Bool

    /// Orders by the value under `path`.
    public init(_ path: Path, ascending: Bool = true) {
      self.path = path
      self.ascending = ascending
    }
  }
}

extension Query.Predicate {
  /// All of `parts`, without wrapping a single one.
  public static func all(_ parts: [Self]) -> Self {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(true) : .and(parts)
  }

  /// At least one of `parts`, without wrapping a single one.
  public static func any(_ parts: [Self]) -> Self {
    parts.count == 1 ? parts[0] : parts.isEmpty ? .constant(false) : .or(parts)
  }

  /// `path == value`.
  public static func equal(
    _ path: Query.Path, _ value: Query.Value, options: Query.TextOptions = []
  ) -> Self {
    .comparison(.init(.path(path), .equal, .value(value), options: options))
  }

  /// `path CONTAINS[cd] text`, or with a quantifier some or each element of a to-many path does.
  public static func contains(
    _ path: Query.Path, _ text: String, quantifier: Query.Quantifier? = nil,
    options: Query.TextOptions = .folded
  ) -> Self {
    .comparison(
      .init(
        .path(path), .contains, .value(.string(text)), quantifier: quantifier, options: options))
  }

  /// `ANY path == value`: a to-many path has such an element.
  public static func anyEqual(
    _ path: Query.Path, _ value: Query.Value, options: Query.TextOptions = []
  ) -> Self {
    .comparison(.init(.path(path), .equal, .value(value), quantifier: .any, options: options))
  }

  /// `path >= lower AND path < upper`, where a bound that is nil does not bind.
  public static func date(
    _ path: Query.Path, from lower: Query.Instant?, to upper: Query.Instant?
  ) -> Self {
    let bounds: [(Query.Operator, Query.Instant?)] = [(.greaterOrEqual, lower), (.less, upper)]
    return .all(
      bounds.compactMap { bound in
        bound.1.map { .comparison(.init(.path(path), bound.0, .value(.date($0)))) }
      })
  }
}

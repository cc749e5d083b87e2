extension Query {
  /// A predicate made ready to be asked of many records in memory.
  public struct Evaluator: Sendable {
    private let test: Test

    /// Checks the predicate against the fields of `entity`.
    public init(_ predicate: Predicate, on entity: Entity) throws(Problem) {
      let scope = Scope(entity: entity)
      try scope.check(predicate)
      test = try scope.test(predicate)
    }

    /// Whether the predicate holds for the record; `now` is what `now()` gives.
    ///
    /// - Throws: `.slowRegularExpression`, `.sumTooLarge`.
    public func matches(
      _ record: any Record, now: Instant = .now
    ) throws(Problem) -> Bool {
      try test(Moment(record: record, variables: [:], now: now))
    }
  }

  /// What a predicate is asked about at one moment.
  fileprivate struct Moment {
    let record: any Record
    var variables: [String: Element]
    let now: Instant
  }

  fileprivate enum Element {
    case value(Value)
    case record((any Record)?)

    /// The value; of a record, only whether there is one.
    var value: Value {
      switch self {
      case .value(let value): value
      case .record(let record): record == nil ? .null : .bool(true)
      }
    }
  }

  fileprivate typealias Test = @Sendable (Moment) throws(Problem) -> Bool
  fileprivate typealias Single = @Sendable (Moment) throws(Problem) -> Value
  fileprivate typealias Reach = @Sendable (Moment) throws(Problem) -> [Element]
  fileprivate typealias Relation = @Sendable (Moment, _ left: Value) throws(Problem) -> Bool
}

extension Query.Evaluator {
  /// A sort descriptor made ready to be asked of many records.
  struct Key {
    let ascending: Bool
    private let single: Query.Single

    init(
      _ descriptor: Query.SortDescriptor, on entity: Query.Entity
    ) throws(Query.Problem) {
      let scope = Query.Scope(entity: entity)
      try scope.check(descriptor)
      ascending = descriptor.ascending
      single = try scope.single(.path(descriptor.path))
    }

    func value(of record: any Query.Record) throws(Query.Problem) -> Query.Value {
      try single(Query.Moment(record: record, variables: [:], now: .now))
    }
  }
}

// A predicate becomes a tree of closures. It was checked, so a type that does not fit is our mistake.

extension Query.Scope {
  fileprivate func test(_ predicate: Query.Predicate) throws(Query.Problem) -> Query.Test {
    switch predicate {
    case .constant(let value): return { _ in value }
    case .comparison(let comparison): return try test(comparison)
    case .not(let part):
      let part = try test(part)
      return { (moment) throws(Query.Problem) in try !part(moment) }
    case .and(let parts): return try test(parts, endingWith: false)
    case .or(let parts): return try test(parts, endingWith: true)
    }
  }

  private func test(
    _ parts: [Query.Predicate], endingWith verdict: Bool
  ) throws(Query.Problem) -> Query.Test {
    var tests: [Query.Test] = []
    for part in parts { tests.append(try test(part)) }
    return { [tests] (moment) throws(Query.Problem) in
      for test in tests { if try test(moment) == verdict { return verdict } }
      return !verdict
    }
  }

  private func test(_ comparison: Query.Comparison) throws(Query.Problem) -> Query.Test {
    if let quantifier = comparison.quantifier {
      let elements = try elements(of: comparison.left)
      let relation = try relation(comparison.operator, comparison.right, comparison.options)
      let verdict = quantifier == .any
      return { (moment) throws(Query.Problem) in
        for element in try elements(moment) {
          if try relation(moment, element.value) == verdict { return verdict }
        }
        return !verdict
      }
    }
    let (left, `operator`, right) = try comparison.withMembershipAsIn(in: self)
    let value = try single(left)
    let relation = try relation(`operator`, right, comparison.options)
    return { (moment) throws(Query.Problem) in try relation(moment, value(moment)) }
  }

  private func relation(
    _ operator: Query.Operator, _ right: Query.Expression, _ options: Query.TextOptions
  ) throws(Query.Problem) -> Query.Relation {
    switch `operator` {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      let value = try single(right, foldedUnder: options)
      return { (moment, left) throws(Query.Problem) in
        `operator`.holds(left.folded(options), try value(moment))
      }
    case .between:
      let bounds = try members(of: right, foldedUnder: options)
      return { (moment, left) throws(Query.Problem) in
        guard bounds.count == 2 else { return false }  // BETWEEN nil
        let left = left.folded(options)
        let (lower, upper) = (try bounds[0](moment), try bounds[1](moment))
        return Query.Operator.lessOrEqual.holds(lower, left)
          && Query.Operator.lessOrEqual.holds(left, upper)
      }
    case .in: return try membership(in: right, options)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      if case .value(let pattern) = right {
        guard case .string(let pattern) = pattern else { return { _, _ in false } }
        let matcher = try TextMatcher(`operator`, pattern, options: options)
        return { (_, left) throws(Query.Problem) in
          if case .string(let text) = left { try matcher.matches(text) } else { false }
        }
      }
      let pattern = try single(right)
      return { (moment, left) throws(Query.Problem) in
        guard case .string(let text) = left, case .string(let pattern) = try pattern(moment)
        else { return false }
        return try TextMatcher(`operator`, pattern, options: options).matches(text)
      }
    }
  }

  private func membership(
    in whole: Query.Expression, _ options: Query.TextOptions
  ) throws(Query.Problem) -> Query.Relation {
    switch try type(of: whole) {
    case .many:
      let elements = try elements(of: whole)
      return { (moment, left) throws(Query.Problem) in
        let left = left.folded(options)
        if left == .null { return false }
        return try elements(moment).contains { left.isEqual(to: $0.value.folded(options)) }
      }
    case .list:
      let members = try members(of: whole, foldedUnder: options)
      return { (moment, left) throws(Query.Problem) in
        let left = left.folded(options)
        if left == .null { return false }
        for member in members { if left.isEqual(to: try member(moment)) { return true } }
        return false
      }
    default:
      let text = try single(whole)
      return { (moment, left) throws(Query.Problem) in
        guard case .string(let part) = left, case .string(let text) = try text(moment)
        else { return false }
        return try TextMatcher(.contains, part, options: options).matches(text)
      }
    }
  }

  private func members(
    of list: Query.Expression, foldedUnder options: Query.TextOptions
  ) throws(Query.Problem) -> [Query.Single] {
    var singles: [Query.Single] = []
    for member in list.members { singles.append(try single(member, foldedUnder: options)) }
    return singles
  }

  fileprivate func single(
    _ expression: Query.Expression, foldedUnder options: Query.TextOptions = []
  ) throws(Query.Problem) -> Query.Single {
    if case .value(let value) = expression {
      let folded = value.folded(options)
      return { _ in folded }
    }
    let value = try unfolded(expression)
    if options.isEmpty { return value }
    return { (moment) throws(Query.Problem) in try value(moment).folded(options) }
  }

  private func unfolded(_ expression: Query.Expression) throws(Query.Problem) -> Query.Single {
    switch expression {
    case .value(let value): return { _ in value }
    case .list: return { _ in .null }
    case .path(let path):
      let elements = try elements(of: path)
      return { (moment) throws(Query.Problem) in try elements(moment).first?.value ?? .null }
    case .negative(let operand):
      return try unfolded(.arithmetic(.subtract, .value(.integer(0)), operand))
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (try unfolded(left), try unfolded(right))
      return { (moment) throws(Query.Problem) in
        operation.apply(try left(moment), try right(moment))
      }
    case .function(.now, _): return { .date($0.now) }
    case .function(let function, let arguments):
      let argument = try unfolded(arguments[0])
      return { (moment) throws(Query.Problem) in function.apply(try argument(moment)) }
    }
  }

  private func elements(of expression: Query.Expression) throws(Query.Problem) -> Query.Reach {
    guard case .path(let path) = expression else { return { _ in [] } }
    return try elements(of: path)
  }

  /// All that a path reaches: of a single value, one element.
  private func elements(of path: Query.Path) throws(Query.Problem) -> Query.Reach {
    try steps(
      path.steps[...], after: begin(path.root), in: Query.PathWalk(from: type(of: path.root)))
  }

  private func begin(_ root: Query.Path.Root) throws(Query.Problem) -> Query.Reach {
    switch root {
    case .row: return { [.record($0.record)] }
    case .variable(let name): return { [$0.variables[name] ?? .value(.null)] }
    case .subquery(let subquery):
      let collection = try elements(of: subquery.collection)
      let variable = subquery.variable
      let test = try binding(variable, toElementOf: type(of: subquery.collection))
        .test(subquery.predicate)
      return { (moment) throws(Query.Problem) in
        var selected: [Query.Element] = []
        var inner = moment
        for element in try collection(moment) {
          inner.variables[variable] = element
          if try test(inner) { selected.append(element) }
        }
        return selected
      }
    }
  }

  private func steps(
    _ steps: ArraySlice<Query.Path.Step>, after reach: @escaping Query.Reach,
    in walk: Query.PathWalk
  ) throws(Query.Problem) -> Query.Reach {
    guard let step = steps.first else { return reach }
    var walk = walk
    try walk.take(step)
    switch step {
    case .field(let name):
      let isSingle = !walk.hasTakenToMany
      let next: Query.Reach = { (moment) throws(Query.Problem) in
        try reach(moment).flatMap { $0.elements(under: name, isSingle: isSingle) }
      }
      return try self.steps(steps.dropFirst(), after: next, in: walk)
    case .element(let element):
      let next: Query.Reach = { (moment) throws(Query.Problem) in
        let elements = try reach(moment)
        switch element {
        case .first: return elements.prefix(1) + []
        case .last: return elements.suffix(1)
        case .at(let index): return elements.dropFirst(index).prefix(1) + []
        }
      }
      return try self.steps(steps.dropFirst(), after: next, in: walk)
    case .aggregate(let aggregate):
      let all = try self.steps(steps.dropFirst(), after: reach, in: walk)
      return { (moment) throws(Query.Problem) in
        [.value(try aggregate.apply(try all(moment).map(\.value)))]
      }
    }
  }
}

extension Query.Element {
  fileprivate func elements(under name: String, isSingle: Bool) -> [Self] {
    // A path through nil: no elements where many would be, nil where one would.
    guard case .record(let record?) = self else { return isSingle ? [.value(.null)] : [] }
    switch record.value(for: name) {
    case .value(let value): return [.value(value)]
    case .values(let values): return values.map { .value($0) }
    case .record(let record): return [.record(record)]
    case .records(let records): return records.map { .record($0) }
    }
  }
}

extension Query.Operator {
  /// Whether an order, or equality, holds between two values.
  func holds(_ left: Query.Value, _ right: Query.Value) -> Bool {
    switch self {
    case .equal: left.isEqual(to: right)
    case .notEqual: !left.isEqual(to: right)
    case .less: left.order(to: right).map { $0 < 0 } ?? false
    case .lessOrEqual: left.order(to: right).map { $0 <= 0 } ?? false
    case .greater: left.order(to: right).map { $0 > 0 } ?? false
    case .greaterOrEqual: left.order(to: right).map { $0 >= 0 } ?? false
    default: false
    }
  }
}

extension Query.Comparison {
  /// The sides and the operator, where membership, `tags CONTAINS "a"`, is written `"a" IN tags`.
  func withMembershipAsIn(
    in scope: Query.Scope
  ) throws(Query.Problem) -> (Query.Expression, Query.Operator, Query.Expression) {
    if `operator` == .contains, quantifier == nil {
      switch try scope.type(of: left) {
      case .many, .list: return (right, .in, left)
      default: break
      }
    }
    return (left, `operator`, right)
  }
}

extension Query.Expression {
  /// The members of a list; none of anything else.
  var members: [Query.Expression] {
    switch self {
    case .list(let members): members
    case .value(.list(let values)): values.map { .value($0) }
    default: []
    }
  }
}

extension Query.Value {
  /// Text in the form that is compared under the options; anything else as it is.
  func folded(_ options: Query.TextOptions) -> Self {
    guard !options.isEmpty, case .string(let text) = self else { return self }
    return .string(Query.Folding.compared(text, options: options))
  }
}

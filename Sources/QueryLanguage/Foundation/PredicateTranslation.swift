public import FoundationEssentials

extension Query.Predicate {
  /// The predicate that a `#Predicate` on a model states.
  ///
  /// - Throws: `.untranslatable` with the name of a node that has no counterpart, or any other problem
  ///   of the predicate that results.
  public init<Model: Query.Model>(
    _ predicate: FoundationEssentials.Predicate<Model>
  ) throws(Query.Problem) {
    let translation = PredicateTranslation()
    translation.bindings[predicate.variable.key] = [Choice(is: .path(Query.Path([])))]
    self = try translation.condition(predicate.expression)
    try Query.Scope(entity: Model.entity).check(self)
  }
}

/// One of the values that an expression may have, and the condition under which it has it.
///
/// A node becomes a list of choices, of which exactly one applies to a record: `memo ?? ""` is `memo`
/// where that is not nil and `""` where it is. A yes-or-no node is true under its condition.
private struct Choice {
  var condition: Query.Predicate = .constant(true)
  var value: Query.Expression

  init(when condition: Query.Predicate = .constant(true), is value: Query.Expression) {
    self.condition = condition
    self.value = value
  }
}

/// Walks the tree of a `#Predicate`.
private final class PredicateTranslation {
  /// What the variables of closures stand for.
  var bindings: [PredicateExpressions.VariableID: [Choice]] = [:]
  private var subqueryCount = 0

  func choices(_ expression: any PredicateExpression) throws(Query.Problem) -> [Choice] {
    guard let node = expression as? any TranslatableExpression else {
      throw .untranslatable("\(type(of: expression))")
    }
    return try node.choices(by: self)
  }

  func condition(_ expression: any PredicateExpression) throws(Query.Problem) -> Query.Predicate {
    Query.Predicate.simplifiedOr(
      try choices(expression).map { choice in
        .simplifiedAnd([choice.condition, .simplified(choice.value, .equal, .value(true))])
      })
  }

  /// Every choice on the left with every choice on the right.
  func combine(
    _ left: any PredicateExpression, _ right: any PredicateExpression,
    _ combination: (Query.Expression, Query.Expression) throws(Query.Problem) -> Query.Expression
  ) throws(Query.Problem) -> [Choice] {
    var combined: [Choice] = []
    let rights = try choices(right)
    for left in try choices(left) {
      for right in rights {
        combined.append(
          Choice(
            when: .simplifiedAnd([left.condition, right.condition]),
            is: try combination(left.value, right.value)))
      }
    }
    return combined
  }

  /// Whether what `comparison` makes of a choice on either side holds.
  func compare(
    _ left: any PredicateExpression, _ right: any PredicateExpression,
    _ comparison: (Query.Expression, Query.Expression) -> Query.Predicate
  ) throws(Query.Problem) -> [Choice] {
    var cases: [Query.Predicate] = []
    let rights = try choices(right)
    for left in try choices(left) {
      for right in rights {
        cases.append(
          .simplifiedAnd([left.condition, right.condition, comparison(left.value, right.value)]))
      }
    }
    return .truth(of: .simplifiedOr(cases))
  }

  /// What a closure over the elements of a collection gives: the elements that it holds for.
  func elements<Element>(
    of collection: any PredicateExpression, _ variable: PredicateExpressions.Variable<Element>,
    where test: any PredicateExpression, negated: Bool = false
  ) throws(Query.Problem) -> Query.Path {
    let choices = try choices(collection)
    guard choices.count == 1, case .path(let path) = choices[0].value else {
      throw .untranslatable("a closure over \(type(of: collection))")
    }
    subqueryCount += 1
    let name = "x\(subqueryCount)"
    bindings[variable.key] = [Choice(is: .path(Query.Path(root: .variable(name), [])))]
    let condition = try condition(test)
    return Query.Path(
      root: .subquery(
        Query.Subquery(path, variable: name, negated ? .simplifiedNot(condition) : condition)), [])
  }

  /// What is made of all elements of a collection.
  func aggregate(
    _ collection: any PredicateExpression, by aggregate: Query.Aggregate
  ) throws(Query.Problem) -> [Choice] {
    var aggregates: [Choice] = []
    for choice in try choices(collection) {
      guard case .path(var path) = choice.value else {
        throw .untranslatable("the \(aggregate.functionName) of \(type(of: collection))")
      }
      path.steps.append(.aggregate(aggregate))
      aggregates.append(Choice(when: choice.condition, is: .path(path)))
    }
    return aggregates
  }
}

/// A node of a `#Predicate` that has a counterpart.
private protocol TranslatableExpression {
  func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice]
}

extension [Choice] {
  fileprivate static func truth(of condition: Query.Predicate) -> [Choice] {
    [
      Choice(when: condition, is: .value(true)),
      Choice(when: .simplifiedNot(condition), is: .value(false)),
    ]
  }
}

// MARK: Variables, properties and captured values

extension PredicateExpressions.Variable: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    guard let choices = translation.bindings[key] else { throw .untranslatable("\(Self.self)") }
    return choices
  }
}

extension PredicateExpressions.Value: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    guard let value = Query.Value(captured: value) else {
      throw .untranslatable("a captured \(Output.self)")
    }
    return [Choice(is: .value(value))]
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    [Choice(is: .value(.null))]
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    var choices: [Choice] = []
    for root in try translation.choices(root) {
      choices += try self.choices(under: root.value).map { choice in
        Choice(when: .simplifiedAnd([root.condition, choice.condition]), is: choice.value)
      }
    }
    return choices
  }

  private func choices(under root: Query.Expression) throws(Query.Problem) -> [Choice] {
    if let model = Root.Output.self as? any Query.Model.Type, case .path(var path) = root {
      guard let name = model.fieldName(of: keyPath) else {
        throw .untranslatable("\(keyPath), which is no field of \(model.entity.name)")
      }
      path.steps.append(.field(name))
      return [Choice(is: .path(path))]
    }
    if Root.Output.self == String.self {
      guard case .collectionIsEmpty = kind else {
        throw .untranslatable("\(keyPath) of a text")
      }
      return .truth(of: .simplified(root, .equal, .value("")))
    }
    guard case .path(var path) = root else { throw .untranslatable("\(keyPath)") }
    switch kind {
    case .collectionCount:
      path.steps.append(.aggregate(.count))
      return [Choice(is: .path(path))]
    case .collectionIsEmpty:
      path.steps.append(.aggregate(.count))
      return .truth(of: .simplified(.path(path), .equal, .value(0)))
    case .collectionFirst:
      path.steps.append(.element(.first))
      return [Choice(is: .path(path))]
    case .bidirectionalCollectionLast:
      path.steps.append(.element(.last))
      return [Choice(is: .path(path))]
    default: throw .untranslatable("\(keyPath)")
    }
  }
}

extension Query.Model {
  fileprivate static func fieldName(of keyPath: AnyKeyPath) -> String? {
    (keyPath as? PartialKeyPath<Self>).flatMap { fieldNames[$0] }
  }
}

// MARK: Connectives and comparisons

extension PredicateExpressions.Conjunction: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    .truth(of: .simplifiedAnd([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    .truth(of: .simplifiedOr([try translation.condition(lhs), try translation.condition(rhs)]))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    .truth(of: .simplifiedNot(try translation.condition(wrapped)))
  }
}

extension PredicateExpressions.Equal: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.compare(lhs, rhs) { .simplified($0, .equal, $1) }
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.compare(lhs, rhs) { .simplified($0, .notEqual, $1) }
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let order: Query.Operator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw .untranslatable("\(Self.self)")
      }
    return try translation.compare(lhs, rhs) { .simplified($0, order, $1) }
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    guard let bounds = (range as? any BoundedExpression)?.bounds else {
      throw .untranslatable("\(RangeExpression.self)")
    }
    let lower = try translation.compare(element, bounds.lower) {
      .simplified($0, .greaterOrEqual, $1)
    }
    let upper = try translation.compare(element, bounds.upper) {
      .simplified($0, bounds.isClosed ? .lessOrEqual : .less, $1)
    }
    return .truth(of: .simplifiedAnd([lower[0].condition, upper[0].condition]))
  }
}

private struct Bounds {
  var lower: any PredicateExpression
  var upper: any PredicateExpression
  var isClosed: Bool
}

private protocol BoundedExpression {
  var bounds: Bounds { get }
}

extension PredicateExpressions.Range: BoundedExpression {
  fileprivate var bounds: Bounds { Bounds(lower: lower, upper: upper, isClosed: false) }
}

extension PredicateExpressions.ClosedRange: BoundedExpression {
  fileprivate var bounds: Bounds { Bounds(lower: lower, upper: upper, isClosed: true) }
}

// MARK: Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    var choices: [Choice] = []
    for wrapped in try translation.choices(wrapped) {
      let isNil = Query.Predicate.simplified(wrapped.value, .equal, .value(.null))
      translation.bindings[variable.key] = [Choice(is: wrapped.value)]
      choices.append(
        Choice(when: .simplifiedAnd([wrapped.condition, isNil]), is: .value(.null)))
      choices += try translation.choices(transform).map { choice in
        Choice(
          when: .simplifiedAnd([wrapped.condition, .simplifiedNot(isNil), choice.condition]),
          is: choice.value)
      }
    }
    return choices
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let defaults = try translation.choices(rhs)
    return try translation.choices(lhs).flatMap { choice in
      let isNil = Query.Predicate.simplified(choice.value, .equal, .value(.null))
      let present = Query.Predicate.simplifiedAnd([choice.condition, .simplifiedNot(isNil)])
      return [Choice(when: present, is: choice.value)]
        + defaults.map { other in
          Choice(
            when: .simplifiedAnd([choice.condition, isNil, other.condition]), is: other.value)
        }
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.choices(inner)
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let test = try translation.condition(test)
    func under(_ condition: Query.Predicate, _ choices: [Choice]) -> [Choice] {
      choices.map { Choice(when: .simplifiedAnd([condition, $0.condition]), is: $0.value) }
    }
    return under(test, try translation.choices(trueBranch))
      + under(.simplifiedNot(test), try translation.choices(falseBranch))
  }
}

// MARK: Arithmetic

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let operation: Query.Arithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw .untranslatable("\(Self.self)")
      }
    return try translation.combine(lhs, rhs) { .arithmetic(operation, $0, $1) }
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.choices(wrapped).map { Choice(when: $0.condition, is: .negative($0.value)) }
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.combine(lhs, rhs) { .arithmetic(.divide, $0, $1) }
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.combine(lhs, rhs) { .function(.trunc, [.arithmetic(.divide, $0, $1)]) }
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.combine(lhs, rhs) { .arithmetic(.modulus, $0, $1) }
  }
}

// MARK: Text and collections

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    guard Base.Output.self == String.self else { throw .untranslatable("\(Self.self)") }
    return try translation.compare(base, other) { .simplifiedText($0, .contains, $1) }
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    guard Base.Output.self == String.self else { throw .untranslatable("\(Self.self)") }
    return try translation.compare(base, prefix) { .simplifiedText($0, .beginsWith, $1) }
  }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.compare(element, sequence) { .comparison(.init($0, .in, $1)) }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let path = try translation.elements(of: sequence, variable, where: test)
    return .truth(of: .comparison(.init(.count(of: path), .greater, .value(0))))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    let path = try translation.elements(of: sequence, variable, where: test, negated: true)
    return .truth(of: .comparison(.init(.count(of: path), .equal, .value(0))))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    [Choice(is: .path(try translation.elements(of: sequence, variable, where: filter)))]
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.aggregate(elements, by: .maximum)
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.aggregate(elements, by: .minimum)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
  fileprivate func choices(by translation: PredicateTranslation) throws(Query.Problem) -> [Choice] {
    try translation.combine(wrapped, index) { (collection, index) throws(Query.Problem) in
      guard case .path(var path) = collection, case .value(.integer(let number)) = index,
        let position = Int(exactly: number), position >= 0
      else { throw .untranslatable("\(Self.self)") }
      path.steps.append(.element(.at(position)))
      return .path(path)
    }
  }
}

extension Query.Expression {
  fileprivate static func count(of path: Query.Path) -> Self {
    .path(Query.Path(root: path.root, path.steps + [.aggregate(.count)]))
  }
}

// MARK: Simplification, so that what comes out reads like what a person would write

extension Query.Predicate {
  fileprivate static func simplifiedAnd(_ parts: [Self]) -> Self {
    if parts.contains(.constant(false)) { return .constant(false) }
    return .all(parts.filter { $0 != .constant(true) })
  }

  fileprivate static func simplifiedOr(_ parts: [Self]) -> Self {
    if parts.contains(.constant(true)) { return .constant(true) }
    return .any(parts.filter { $0 != .constant(false) })
  }

  fileprivate static func simplifiedNot(_ part: Self) -> Self {
    switch part {
    case .constant(let value): return .constant(!value)
    case .not(let part): return part
    case .comparison(var comparison) where comparison.operator == .equal:
      comparison.operator = .notEqual
      return .comparison(comparison)
    default: return .not(part)
    }
  }

  fileprivate static func simplified(
    _ left: Query.Expression, _ operation: Query.Operator, _ right: Query.Expression
  ) -> Self {
    if case .value(let left) = left, case .value(let right) = right {
      return .constant(operation.holds(left, right))
    }
    return .comparison(.init(left, operation, right))
  }

  /// Swift finds the empty text in every text, a format in none.
  fileprivate static func simplifiedText(
    _ text: Query.Expression, _ operation: Query.Operator, _ part: Query.Expression
  ) -> Self {
    part == .value("")
      ? simplified(text, .notEqual, .value(.null)) : .comparison(.init(text, operation, part))
  }
}

// MARK: Captured values

private protocol OptionalValue {
  var some: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var some: Any? { self }
}

extension Query.Value {
  /// A value that a closure captured; nil for a type that no field has.
  fileprivate init?(captured value: Any) {
    switch value {
    case let optional as any OptionalValue:
      guard let some = optional.some else {
        self = .null
        return
      }
      self.init(captured: some)
    case let text as String: self = .string(text)
    case let text as Substring: self = .string(String(text))
    case let character as Character: self = .string(String(character))
    case let bool as Bool: self = .bool(bool)
    case let integer as any BinaryInteger:
      guard let integer = Int64(exactly: integer) else { return nil }
      self = .integer(integer)
    case let double as Double: self = .double(double)
    case let float as Float: self = .double(Double(float))
    case let date as Date: self = .date(Query.Instant(date))
    case let instant as Query.Instant: self = .date(instant)
    case let uuid as UUID: self = .string(uuid.uuidString.lowercased())
    case let collection as any Collection:
      var values: [Query.Value] = []
      for element in collection {
        guard let value = Self(captured: element) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case let raw as any RawRepresentable: self.init(captured: raw.rawValue)
    default: return nil
    }
  }
}

package import QueryLanguage

/// Makes predicates that an entity admits: nested, over all its fields, with nils and every operator.
///
/// Never two equal ones on purpose, and the same ones for the same seed.
package struct PredicateGenerator {
  private let entity: Query.Entity
  private let strings: [String]
  private let numbers: [Query.Value]
  private let dates: [Query.Instant]
  private var random: SplitMix
  private var variableCount = 0

  /// Makes predicates that compare with these values: parts of the data, so that some are found.
  package init(
    _ entity: Query.Entity, strings: [String], numbers: [Query.Value], dates: [Query.Instant],
    seed: UInt64
  ) {
    self.entity = entity
    self.strings = strings
    self.numbers = numbers
    self.dates = dates
    random = SplitMix(seed: seed)
  }

  /// A predicate with connectives nested up to `depth`.
  package mutating func predicate(depth: Int = 3) -> Query.Predicate {
    predicate(depth, in: Scope(record: entity, root: .row))
  }

  /// Where the paths of a predicate begin.
  private struct Scope {
    var record: Query.Entity
    var root: Query.Path.Root
    /// The type of what a variable stands for, where it is no record.
    var scalar: Query.ScalarType?
    var isInSubquery = false
  }

  /// A path to a value or, if `isMany`, to many.
  private struct Target {
    var path: Query.Path
    var type: Query.ScalarType
    var isMany: Bool
  }

  private mutating func predicate(_ depth: Int, in scope: Scope) -> Query.Predicate {
    switch depth > 0 ? chance(8) : 7 {
    case 0, 1: .and(parts(depth, in: scope))
    case 2, 3: .or(parts(depth, in: scope))
    case 4, 5: .not(predicate(depth - 1, in: scope))
    case 6: chance(10) == 0 ? .constant(chance(2) == 0) : predicate(depth - 1, in: scope)
    default: .comparison(comparison(in: scope))
    }
  }

  private mutating func parts(_ depth: Int, in scope: Scope) -> [Query.Predicate] {
    var parts: [Query.Predicate] = []
    for _ in 0..<(2 + chance(3)) { parts.append(predicate(depth - 1, in: scope)) }
    return parts
  }

  private mutating func comparison(in scope: Scope) -> Query.Comparison {
    let targets = targets(in: scope)
    switch chance(12) {
    case 0:
      if let record = pick(records(in: scope)) {
        return .init(.path(record), chance(2) == 0 ? .equal : .notEqual, .value(.null))
      }
    case 1:
      if let many = pick(targets.filter(\.isMany)) { return membership(in: many, scope) }
    case 2, 3:
      let left = number(in: scope, from: targets)
      return .init(left, order(), number(in: scope, from: targets))
    default: break
    }
    guard let target = pick(targets) else { return .init(.value(1), .equal, .value(1)) }
    let quantifier = target.isMany ? chance(2) == 0 ? Query.Quantifier.any : .all : nil
    return comparison(
      of: expression(target), target.type, quantifier, targets.filter { !$0.isMany })
  }

  /// The target, now and then through a function.
  private mutating func expression(_ target: Target) -> Query.Expression {
    if target.type == .string, !target.isMany, chance(6) == 0 {
      return .function(chance(2) == 0 ? .lowercase : .uppercase, [.path(target.path)])
    }
    return .path(target.path)
  }

  private mutating func comparison(
    of left: Query.Expression, _ type: Query.ScalarType, _ quantifier: Query.Quantifier?,
    _ others: [Target]
  ) -> Query.Comparison {
    let options = type == .string ? Query.TextOptions(rawValue: chance(4)) : []
    var right = value(type)
    if chance(6) == 0, let other = pick(others.filter { $0.type == type }) {
      right = .path(other.path)
    }
    let operation: Query.Operator
    switch chance(type == .string ? 10 : 6) {
    case 0: (operation, right) = (.in, list(type, count: chance(5)))
    case 1: (operation, right) = (.between, list(type, count: 2))
    case 2, 3: operation = chance(2) == 0 ? .equal : .notEqual
    case 4, 5: operation = order()
    case 6:
      operation = .like
      right = .value(.string(pattern()))
    case 7:
      operation = .matches
      right = .value(.string(Self.expressions[chance(Self.expressions.count)]))
    default: operation = pick([.contains, .beginsWith, .endsWith, .in]) ?? .contains
    }
    if chance(15) == 0 { right = .value(.null) }
    return .init(left, operation, right, quantifier: quantifier, options: options)
  }

  private mutating func membership(in many: Target, _ scope: Scope) -> Query.Comparison {
    let element = chance(10) == 0 ? .value(.null) : value(many.type)
    let options = many.type == .string ? Query.TextOptions(rawValue: chance(4)) : []
    return chance(2) == 0
      ? .init(element, .in, .path(many.path), options: options)
      : .init(.path(many.path), .contains, element, options: options)
  }

  private static let expressions = [
    ".*a.*", "[a-z ]+", "(?i)cafe.*", ".*\\p{Han}.*", "\\d+", ".{2,8}", "", "(.)\\1.*",
  ]

  private mutating func pattern() -> String {
    let text = pick(strings) ?? ""
    return ["*\(text)*", "\(text)*", "*\(text)", "?\(text)*", "*?\(text)?", text, "*"][chance(7)]
  }

  private mutating func order() -> Query.Operator {
    pick([.less, .lessOrEqual, .greater, .greaterOrEqual]) ?? .less
  }

  private mutating func value(_ type: Query.ScalarType) -> Query.Expression {
    if chance(20) == 0 { return .value(.null) }
    switch type {
    case .string: return .value(.string(pick(strings) ?? ""))
    case .date: return chance(20) == 0 ? .function(.now, []) : .value(.date(pick(dates) ?? .now))
    case .boolean: return .value(chance(4) == 0 ? .integer(1) : .bool(chance(2) == 0))
    case .integer, .double: return .value(pick(numbers) ?? 0)
    }
  }

  private mutating func list(_ type: Query.ScalarType, count: Int) -> Query.Expression {
    var members: [Query.Expression] = []
    for _ in 0..<count { members.append(value(type)) }
    let values = members.compactMap { if case .value(let value) = $0 { value } else { nil } }
    return values.count == count ? .value(.list(values)) : .list(members)
  }

  /// A number: a literal, a path, an aggregate, or what is calculated of them.
  private mutating func number(
    in scope: Scope, from targets: [Target], depth: Int = 2
  ) -> Query.Expression {
    let isNumber: (Target) -> Bool = { [.integer, .double, .boolean].contains($0.type) }
    switch chance(depth > 0 ? 10 : 5) {
    case 0: return .value(pick(numbers) ?? 0)
    case 1, 2:
      if let target = pick(targets.filter { isNumber($0) && !$0.isMany }) {
        return .path(target.path)
      }
    case 3, 4:
      if let target = pick(targets.filter { isNumber($0) && $0.isMany }) {
        return .path(aggregate(of: target))
      }
    case 5:
      if let count = countOfSubquery(in: scope) { return count }
    case 6:
      let function = pick([Query.Function.abs, .floor, .ceiling, .trunc, .sqrt]) ?? .abs
      return .function(function, [number(in: scope, from: targets, depth: depth - 1)])
    case 7:
      // Of a literal, the parser would make one literal.
      let operand = number(in: scope, from: targets, depth: depth - 1)
      if case .value = operand { return operand }
      return .negative(operand)
    default:
      return .arithmetic(
        pick(Query.Arithmetic.allCases) ?? .add,
        number(in: scope, from: targets, depth: depth - 1),
        number(in: scope, from: targets, depth: depth - 1))
    }
    return .value(pick(numbers) ?? 0)
  }

  private mutating func aggregate(of target: Target) -> Query.Path {
    var path = target.path
    let aggregate = pick(Query.Aggregate.allCases) ?? .count
    // Before the last step, which is the element's field, as in `photos.@max.width`.
    if aggregate == .count || path.steps.count < 2 {
      path.steps.append(.aggregate(aggregate))
    } else {
      path.steps.insert(.aggregate(aggregate), at: path.steps.count - 1)
    }
    return path
  }

  private mutating func countOfSubquery(in scope: Scope) -> Query.Expression? {
    guard !scope.isInSubquery, scope.scalar == nil else { return nil }
    let fields = scope.record.fields.compactMap { field -> (String, Scope)? in
      switch field.content {
      case .toMany(let related, _): (field.name, Scope(record: related(), root: .row))
      case .scalars(let type, _, _):
        (field.name, Scope(record: scope.record, root: .row, scalar: type))
      default: nil
      }
    }
    guard let (name, element) = pick(fields) else { return nil }
    variableCount += 1
    let variable = "v\(variableCount)"
    var inner = element
    inner.root = .variable(variable)
    inner.isInSubquery = true
    let subquery = Query.Subquery(
      Query.Path(root: scope.root, [.field(name)]), variable: variable, predicate(1, in: inner))
    return .path(Query.Path(root: .subquery(subquery), [.aggregate(.count)]))
  }

  // MARK: Paths

  private mutating func targets(in scope: Scope) -> [Target] {
    if let scalar = scope.scalar {
      return [Target(path: Query.Path(root: scope.root, []), type: scalar, isMany: false)]
    }
    return targets(of: scope.record, after: Query.Path(root: scope.root, []), isMany: false)
  }

  private mutating func targets(
    of entity: Query.Entity, after path: Query.Path, isMany: Bool
  ) -> [Target] {
    entity.fields.flatMap { field -> [Target] in
      var next = path
      next.steps.append(.field(field.name))
      switch field.content {
      case .scalar(let type, _, _): return [Target(path: next, type: type, isMany: isMany)]
      case .scalars(let type, _, _):
        let all = Target(path: next, type: type, isMany: true)
        return isMany ? [all] : [all, Target(path: element(of: next), type: type, isMany: false)]
      case .toOne(let related, _) where next.steps.count < 3:
        return targets(of: related(), after: next, isMany: isMany)
      case .toMany(let related, _) where next.steps.count < 3:
        let all = targets(of: related(), after: next, isMany: true)
        return isMany
          ? all : all + targets(of: related(), after: element(of: next), isMany: false)
      case .toOne, .toMany: return []
      }
    }
  }

  private mutating func element(of path: Query.Path) -> Query.Path {
    var path = path
    path.steps.append(.element(pick([.first, .last, .at(0), .at(1), .at(7)]) ?? .first))
    return path
  }

  private func records(in scope: Scope) -> [Query.Path] {
    if scope.scalar != nil { return [] }
    let toOne = scope.record.fields.filter { if case .toOne = $0.content { true } else { false } }
    return [Query.Path(root: scope.root, [])]
      + toOne.map { Query.Path(root: scope.root, [.field($0.name)]) }
  }

  private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }
}

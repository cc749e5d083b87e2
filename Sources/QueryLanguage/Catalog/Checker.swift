extension Query {
  /// What an expression gives.
  enum ExpressionType {
    /// A literal nil, which goes with anything.
    case null
    case scalar(ScalarType)
    /// A record, which can only be compared with nil.
    case record(Entity)
    /// Any number of values or records.
    indirect case many(ExpressionType)
    /// The members of a list, of which each is checked by itself.
    case list([ExpressionType])
  }

  /// What names mean at some place in a predicate.
  struct Scope {
    let entity: Entity
    var variables: [String: ExpressionType] = [:]
  }

  /// A problem of a comparison and the part of it to point at.
  struct Misfit: Error {
    enum Part { case left, `operator`, right }
    let part: Part
    let problem: Problem
  }
}

// The rules are stricter than Apple's parser, which checks no types. They are here alone: the parser
// asks step by step and knows the columns, and a predicate built from cases is asked about as a whole.

extension Query.Scope {
  /// The type of the value under a path.
  func type(of path: Query.Path) throws(Query.Problem) -> Query.ExpressionType {
    var walk = Query.PathWalk(from: try type(of: path.root))
    for step in path.steps { try walk.take(step) }
    return try walk.end()
  }

  /// The type of what a path begins at.
  func type(of root: Query.Path.Root) throws(Query.Problem) -> Query.ExpressionType {
    switch root {
    case .row: return .record(entity)
    case .variable(let name):
      guard let type = variables[name] else {
        throw .argument("The variable $\(name) has no value.")
      }
      return type
    case .subquery(let subquery):
      guard variables.count < Self.subqueryLimit else { throw .tooDeep }
      let collection = try type(of: subquery.collection)
      try binding(subquery.variable, toElementOf: collection).check(subquery.predicate)
      return collection
    }
  }

  /// How many subqueries may lie within each other: SQLite's parser has room for a few more.
  private static let subqueryLimit = 4

  /// The scope of a subquery's predicate.
  func binding(
    _ variable: String, toElementOf collection: Query.ExpressionType
  ) throws(Query.Problem) -> Self {
    guard case .many(let element) = collection else {
      throw .type("SUBQUERY goes through a to-many field, not \(collection.description).")
    }
    var inner = self
    inner.variables[variable] = element
    return inner
  }

  /// The type of an expression.
  func type(of expression: Query.Expression) throws(Query.Problem) -> Query.ExpressionType {
    switch expression {
    case .value(let value): return .init(value)
    case .list(let members):
      var types: [Query.ExpressionType] = []
      for member in members { types.append(try type(of: member)) }
      return .list(types)
    case .path(let path): return try type(of: path)
    case .negative(let operand): return try .negative(of: type(of: operand))
    case .arithmetic(let operation, let left, let right):
      return try .arithmetic(operation, type(of: left), type(of: right))
    case .function(let function, let arguments):
      var types: [Query.ExpressionType] = []
      for argument in arguments { types.append(try type(of: argument)) }
      return try .result(of: function, types)
    }
  }

  /// Refuses a predicate that names what is not there or compares what cannot be compared.
  func check(_ predicate: Query.Predicate, depth: Int = 0) throws(Query.Problem) {
    guard depth <= Query.Predicate.depthLimit else { throw .tooDeep }
    switch predicate {
    case .constant: break
    case .and(let parts), .or(let parts):
      for part in parts { try check(part, depth: depth + 1) }
    case .not(let part): try check(part, depth: depth + 1)
    case .comparison(let comparison):
      let types = (try type(of: comparison.left), try type(of: comparison.right))
      do {
        try comparison.check(types.0, types.1)
      } catch {
        throw error.problem
      }
    }
  }

  /// Refuses what cannot be an order.
  func check(_ descriptor: Query.SortDescriptor) throws(Query.Problem) {
    guard case .scalar = try type(of: descriptor.path) else {
      throw .type("“\(descriptor.path.format)” is no single value, and so no order.")
    }
  }
}

extension Query.Predicate {
  /// How many levels of parentheses, negations, lists and calls a predicate may have.
  public static let depthLimit = 128
}

extension Query {
  /// A walk along a path, step by step, so that the caller knows which step is wrong.
  struct PathWalk {
    private(set) var type: ExpressionType
    /// The aggregate that was passed, which the steps after it belong to.
    private var aggregate: Aggregate?
    /// Whether the last step was a to-many field of a single record, of which one element may be had.
    private var hasOrder = false
    /// Whether the last step was a to-many field.
    private(set) var hasTakenToMany = false

    init(from root: ExpressionType) { type = root }

    mutating func take(_ step: Path.Step) throws(Problem) {
      let isSingleRecord = if case .record = type { true } else { false }
      hasTakenToMany = false
      defer { hasOrder = isSingleRecord && hasTakenToMany }
      switch step {
      case .field(let name): try takeField(name)
      case .aggregate(let next):
        guard aggregate == nil, case .many = type else {
          throw .type("@\(next.rawValue) goes over a to-many field, not \(type.description).")
        }
        aggregate = next
      case .element:
        guard hasOrder, case .many(let element) = type else {
          throw .type("An index goes with a to-many field, not with \(type.description).")
        }
        type = element
      }
    }

    private static let aggregateNames = Aggregate.allCases.map { "@\($0.rawValue)" }

    private mutating func takeField(_ name: String) throws(Problem) {
      let entity: Entity
      let isMany: Bool
      switch type {
      case .record(let record): (entity, isMany) = (record, false)
      case .many(.record(let record)): (entity, isMany) = (record, true)
      case .many(let element):
        let kind = "field of \(element.description), as each element is"
        throw .unknown(name, kind: kind, among: Self.aggregateNames)
      default: throw .type("“\(name)” is not a field of \(type.description).")
      }
      guard aggregate != .count else { throw .type("“\(name)” is not a field of a count.") }
      guard let field = entity[name] else {
        throw .unknown(
          name, kind: "field of \(entity.name)",
          among: entity.fields.map(\.name) + (isMany ? Self.aggregateNames : []),
          or: entity.relatedPaths)
      }
      let single: ExpressionType
      switch field.content {
      case .scalar(let scalar, _, _): single = .scalar(scalar)
      case .toOne(let related, _): single = .record(related())
      case .scalars(let scalar, _, _): single = .many(.scalar(scalar))
      case .toMany(let related, _): single = .many(.record(related()))
      }
      if case .many = single {
        type = single
        hasTakenToMany = true
      } else {
        type = isMany ? .many(single) : single
      }
    }

    /// The type of the whole path.
    func end() throws(Problem) -> ExpressionType {
      guard let aggregate else { return type }
      guard aggregate != .count else { return .scalar(.integer) }
      guard case .many(.scalar(let scalar)) = type else {
        throw .type("@\(aggregate.rawValue) needs to be told of which field.")
      }
      switch aggregate {
      case .sum, .average:
        guard scalar.isNumber else {
          let element = ExpressionType.scalar(scalar).description
          throw .type("@\(aggregate.rawValue) goes over numbers, but each element is \(element).")
        }
        return .scalar(aggregate == .sum && scalar != .double ? .integer : .double)
      case .count, .minimum, .maximum: return .scalar(scalar)
      }
    }
  }
}

extension Query.ExpressionType {
  init(_ value: Query.Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .scalar(.boolean)
    case .integer: self = .scalar(.integer)
    case .double: self = .scalar(.double)
    case .string: self = .scalar(.string)
    case .date: self = .scalar(.date)
    case .list(let members): self = .list(members.map(Self.init))
    }
  }

  /// With its article, for a sentence.
  var description: String {
    switch self {
    case .null: "nil"
    case .scalar(.string): "a string"
    case .scalar(.boolean): "a boolean"
    case .scalar(.date): "a date"
    case .scalar: "a number"
    case .record(let entity): "a \(entity.name)"
    case .many: "a to-many field"
    case .list: "a list"
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  private var isNumberOrNull: Bool {
    switch self {
    case .null: true
    case .scalar(let scalar): scalar.isNumber
    default: false
    }
  }

  var isStringOrNull: Bool {
    switch self {
    case .null, .scalar(.string): true
    default: false
    }
  }

  /// Whether two single values can be compared: numbers with booleans, and anything with nil.
  func isComparable(with other: Self) -> Bool {
    switch (self, other) {
    case (.many, _), (.list, _), (_, .many), (_, .list): false
    case (.null, _), (_, .null): true
    case (.scalar(let a), .scalar(let b)): a == b || a.isNumber && b.isNumber
    default: false
    }
  }

  static func negative(of operand: Self) throws(Query.Problem) -> Self {
    try arithmetic(.subtract, .scalar(.integer), operand)
  }

  static func arithmetic(
    _ operation: Query.Arithmetic, _ left: Self, _ right: Self
  ) throws(Query.Problem) -> Self {
    for operand in [left, right] where !operand.isNumberOrNull {
      throw .type("Only numbers can be calculated with, not \(operand.description).")
    }
    return .scalar(.double)
  }

  static func result(
    of function: Query.Function, _ arguments: [Self]
  ) throws(Query.Problem) -> Self {
    let count = function == .now ? 0 : 1
    guard arguments.count == count else {
      throw .type("\(function.rawValue) takes \(count) arguments, not \(arguments.count).")
    }
    guard let argument = arguments.first else { return .scalar(.date) }
    let (isRight, wanted): (Bool, String) =
      switch function {
      case .lowercase, .uppercase: (argument.isStringOrNull, "a string")
      case .castToNumber: (argument.isComparable(with: .scalar(.date)), "a date")
      default: (argument.isNumberOrNull, "a number")
      }
    guard isRight else {
      throw .type("\(function.displayName) takes \(wanted), not \(argument.description).")
    }
    switch function {
    case .lowercase, .uppercase: return .scalar(.string)
    case .castToDate: return .scalar(.date)
    default: return .scalar(.double)
    }
  }
}

extension Query.Scope {
  /// The path that makes an aggregate of all that `path` reaches.
  func path(
    _ path: Query.Path, aggregatedBy aggregate: Query.Aggregate
  ) throws(Query.Problem) -> Query.Path {
    var path = path
    guard aggregate != .count else {
      path.steps.append(.aggregate(.count))
      return path
    }
    // `photos.width` is `photos.@max.width`: the aggregate follows the collection.
    var walk = Query.PathWalk(from: try type(of: path.root))
    for (index, step) in path.steps.enumerated() {
      try walk.take(step)
      if case .many = walk.type {
        path.steps.insert(.aggregate(aggregate), at: index + 1)
        return path
      }
    }
    path.steps.insert(.aggregate(aggregate), at: 0)
    return path
  }
}

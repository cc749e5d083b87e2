extension Query.SQL {
  /// The predicate as a condition on a row of `entity`, for a `WHERE`.
  ///
  /// It is true for the rows that the predicate holds for, and false or NULL for the others; beside
  /// other conditions it needs parentheses. `alias` is what the statement calls the row, and `now`
  /// what `now()` gives.
  package static func condition(
    _ predicate: Query.Predicate, on entity: Query.Entity, alias: String,
    now: Query.Instant = .now
  ) throws(Query.Problem) -> Query.SQL {
    var compiler = SQLCompiler(on: entity, alias: alias, now: now)
    try compiler.scope.check(predicate)
    return try compiler.inScope { (compiler) throws(Query.Problem) in
      try compiler.condition(predicate, negated: false)
    }
  }

  /// The order of rows of `entity`, for an `ORDER BY`: no two rows are equal in it.
  package static func order(
    _ descriptors: [Query.SortDescriptor], on entity: Query.Entity, alias: String
  ) throws(Query.Problem) -> Query.SQL {
    var terms: [Query.SQL] = []
    for descriptor in descriptors {
      let value = try value(of: descriptor.path, on: entity, alias: alias)
      terms.append("\(value)\(verbatim: descriptor.ascending ? "" : " DESC")")
    }
    let direction = descriptors.last?.ascending ?? true ? "" : " DESC"
    terms += entity.identity.map { "\(verbatim: $0.of(alias) + direction)" }
    return .joined(terms, separator: ", ")
  }

  /// The single value under a path from a row of `entity`, as an order or a grouping takes it.
  package static func value(
    of path: Query.Path, on entity: Query.Entity, alias: String
  ) throws(Query.Problem) -> Query.SQL {
    var compiler = SQLCompiler(on: entity, alias: alias, now: .now)
    try compiler.scope.check(Query.SortDescriptor(path))
    return try compiler.inScope { (compiler) throws(Query.Problem) in
      try compiler.value(of: path).sql
    }
  }
}

/// Writes a checked predicate as SQL.
///
/// `NOT` is pushed down to the comparisons, where it can be made two-valued; so above them a NULL is
/// as good as false, and a plain `column = ?` stays open to an index.
struct SQLCompiler {
  fileprivate(set) var scope: Query.Scope
  private let row: Place
  private var variables: [String: Place] = [:]
  private let now: Query.Instant
  private var nameCount = 0
  private var hoisted: [Query.SQL] = []

  /// Where an element of a path is.
  private enum Place {
    case row(alias: String, Query.Entity)
    case value(Value)
  }

  /// SQL for a value.
  struct Value {
    var sql: Query.SQL
    /// Whether it can be NULL.
    var isNullable: Bool
  }

  /// The rows along a path.
  private struct Rows {
    /// What follows `FROM`; nil as long as the path has not left the row it began at.
    var source: Query.SQL?
    var conditions: [Query.SQL] = []
    /// The last table, and how its rows are ordered.
    var alias = ""
    var order: [String] = []
    /// The element, in terms of the last table.
    var place: Place
  }

  init(on entity: Query.Entity, alias: String, now: Query.Instant) {
    scope = Query.Scope(entity: entity)
    row = .row(alias: alias, entity)
    self.now = now
  }

  // MARK: Predicates

  mutating func condition(
    _ predicate: Query.Predicate, negated: Bool
  ) throws(Query.Problem) -> Query.SQL {
    switch predicate {
    case .constant(let value): return value != negated ? "1" : "0"
    case .not(let part): return try condition(part, negated: !negated)
    case .and(let parts): return try conditions(parts, negated: negated, conjunction: !negated)
    case .or(let parts): return try conditions(parts, negated: negated, conjunction: negated)
    case .comparison(let comparison):
      return limited(try condition(comparison, negated: negated))
    }
  }

  private mutating func conditions(
    _ parts: [Query.Predicate], negated: Bool, conjunction: Bool
  ) throws(Query.Problem) -> Query.SQL {
    var conditions: [Query.SQL] = []
    for part in parts { conditions.append("(\(try condition(part, negated: negated)))") }
    // A tree of groups: SQLite takes expressions up to 1000 deep, and a chain of 1001 ORs is that.
    while conditions.count > 8 {
      conditions = stride(from: 0, to: conditions.count, by: 8).map { start in
        let group = Array(conditions[start..<min(start + 8, conditions.count)])
        return "(\(.joined(group, separator: conjunction ? " AND " : " OR ")))"
      }
    }
    if conditions.isEmpty { return conjunction ? "1" : "0" }
    return limited(.joined(conditions, separator: conjunction ? " AND " : " OR "))
  }

  private mutating func condition(
    _ comparison: Query.Comparison, negated: Bool
  ) throws(Query.Problem) -> Query.SQL {
    if let quantifier = comparison.quantifier {
      // All do, unless there is one that does not.
      let negatedInside = quantifier == .all
      return try exists(comparison.left, negated: negated != negatedInside) {
        (compiler, element) throws(Query.Problem) in
        try compiler.relation(
          element, comparison.operator, comparison.right, comparison.options,
          negated: negatedInside)
      }
    }
    let (left, `operator`, right) = try comparison.withMembershipAsIn(in: scope)
    if `operator` == .in, case .many = try scope.type(of: right) {
      let value = try value(of: left)
      return try exists(right, negated: negated) { (compiler, element) throws(Query.Problem) in
        let sides = (
          compiler.folded(element, comparison.options), compiler.folded(value, comparison.options)
        )
        return "\(sides.0.sql) = \(sides.1.sql)"
      }
    }
    let value = try value(of: left)
    return try relation(value, `operator`, right, comparison.options, negated: negated)
  }

  private mutating func exists(
    _ collection: Query.Expression, negated: Bool,
    where condition: (inout Self, Value) throws(Query.Problem) -> Query.SQL
  ) throws(Query.Problem) -> Query.SQL {
    guard case .path(let path) = collection else { preconditionFailure("a collection is a path") }
    let rows = try rows(along: path)
    let element = value(at: rows.place)
    let inside = try inScope { (compiler) throws(Query.Problem) in
      try condition(&compiler, element)
    }
    let conditions = (rows.conditions + [inside]).map { "(\($0))" as Query.SQL }
    return """
      \(verbatim: negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(rows.source ?? "(SELECT 1)") \
      WHERE \(.joined(conditions, separator: " AND ")))
      """
  }

  /// What holds between a value on the left and the right side of a comparison.
  private mutating func relation(
    _ left: Value, _ operator: Query.Operator, _ right: Query.Expression,
    _ options: Query.TextOptions, negated: Bool
  ) throws(Query.Problem) -> Query.SQL {
    switch `operator` {
    case .equal: return try equality(left, right, options, negated: negated)
    case .notEqual: return try equality(left, right, options, negated: !negated)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (left, right) = (folded(left, options), folded(try value(of: right), options))
      return twoValued(
        "\(left.sql) \(verbatim: `operator`.keyword) \(right.sql)", negated, left, right)
    case .between:
      let bounds = try members(of: right, options)
      guard bounds.count == 2 else { return negated ? "1" : "0" }  // BETWEEN nil
      let left = folded(left, options)
      return twoValued(
        "\(left.sql) BETWEEN \(bounds[0].sql) AND \(bounds[1].sql)", negated, left, bounds[0],
        bounds[1])
    case .in:
      if case .list = try scope.type(of: right) {
        return try membership(of: folded(left, options), in: right, options, negated: negated)
      }
      return match(.contains, try value(of: right), left, options, negated: negated)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return match(`operator`, left, try value(of: right), options, negated: negated)
    }
  }

  private mutating func equality(
    _ left: Value, _ right: Query.Expression, _ options: Query.TextOptions, negated: Bool
  ) throws(Query.Problem) -> Query.SQL {
    if right == .value(.null) {
      return "\(left.sql) \(verbatim: negated ? "IS NOT" : "IS") NULL"
    }
    let right = try value(of: right)
    if !options.isEmpty, !right.isNullable {
      return match(.equal, left, right, options, negated: negated)
    }
    let sides = (folded(left, options), folded(right, options))
    // IS is two-valued and takes two NULLs for equal, as evaluation in memory does.
    let isPlain = !right.isNullable && !(negated && left.isNullable)
    let relation = isPlain ? negated ? "<>" : "=" : negated ? "IS NOT" : "IS"
    return "\(sides.0.sql) \(verbatim: relation) \(sides.1.sql)"
  }

  private mutating func membership(
    of element: Value, in list: Query.Expression, _ options: Query.TextOptions, negated: Bool
  ) throws(Query.Problem) -> Query.SQL {
    // nil is no member of anything, not even of a list with nil in it.
    let members = try members(of: list, options).filter { $0.sql.bindings != [.null] }
    if members.isEmpty { return negated ? "1" : "0" }
    guard members.count <= Self.listLimit else {
      throw .type("A list may have up to \(Self.listLimit) members, not \(members.count).")
    }
    let nullable = members.first(where: \.isNullable) ?? element
    return twoValued(
      "\(element.sql) IN (\(.joined(members.map(\.sql), separator: ", ")))", negated, element,
      nullable)
  }

  /// SQLite as it comes binds 32,766 values to a statement.
  private static let listLimit = 30_000

  private func match(
    _ operator: Query.Operator, _ text: Value, _ pattern: Value, _ options: Query.TextOptions,
    negated: Bool
  ) -> Query.SQL {
    let (name, options) = (`operator`.sqlName, "\(options.rawValue)")
    return twoValued(
      "\(verbatim: name)(\(text.sql), \(pattern.sql), \(verbatim: options))", negated, text, pattern
    )
  }

  /// A condition on operands; where it is negated, exactly true or false.
  private func twoValued(
    _ condition: Query.SQL, _ negated: Bool, _ operands: Value...
  ) -> Query.SQL {
    if !negated { return condition }
    let isNullable = operands.contains(where: \.isNullable)
    return isNullable ? "(\(condition)) IS NOT TRUE" : "NOT (\(condition))"
  }

  // MARK: Values

  mutating func value(of expression: Query.Expression) throws(Query.Problem) -> Value {
    switch expression {
    case .value(let value): return Value(sql: "\(value)", isNullable: value == .null)
    case .list: preconditionFailure("a list is no single value")
    case .path(let path): return try value(of: path)
    case .negative(let operand):
      return try value(of: .arithmetic(.subtract, .value(.integer(0)), operand))
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (try value(of: left), try value(of: right))
      return Value(sql: limited(operation.sql(left.sql, right.sql)), isNullable: true)
    case .function(.now, _): return Value(sql: "\(.date(now))", isNullable: false)
    case .function(let function, let arguments):
      let argument = try value(of: arguments[0])
      return Value(sql: limited(function.sql(argument.sql)), isNullable: true)
    }
  }

  mutating func value(of path: Query.Path) throws(Query.Problem) -> Value {
    let aggregate = path.steps.lazy.compactMap { step -> Query.Aggregate? in
      if case .aggregate(let aggregate) = step { aggregate } else { nil }
    }.first
    let rows = try rows(along: path)
    let value = value(at: rows.place)
    guard let source = rows.source else { return value }
    let selected = aggregate.map { $0.sql(value.sql) } ?? value.sql
    let conditions = rows.conditions.map { "(\($0))" as Query.SQL }
    let filter: Query.SQL =
      conditions.isEmpty ? "" : " WHERE \(.joined(conditions, separator: " AND "))"
    return Value(
      sql: limited("(SELECT \(selected) FROM \(source)\(filter))"),
      isNullable: aggregate != .count && aggregate != .sum)
  }

  private mutating func members(
    of list: Query.Expression, _ options: Query.TextOptions
  ) throws(Query.Problem) -> [Value] {
    var values: [Value] = []
    for member in list.members { values.append(folded(try value(of: member), options)) }
    return values
  }

  private func folded(_ value: Value, _ options: Query.TextOptions) -> Value {
    if options.isEmpty { return value }
    if value.sql.text == "?" {
      return Value(sql: "\(value.sql.bindings[0].folded(options))", isNullable: value.isNullable)
    }
    let options = "\(options.rawValue)"
    return Value(
      sql: "query_fold(\(value.sql), \(verbatim: options))", isNullable: value.isNullable)
  }

  private func value(at place: Place) -> Value {
    switch place {
    case .value(let value): value
    case .row(let alias, let entity):
      Value(sql: "\(verbatim: entity.identity[0].of(alias))", isNullable: true)
    }
  }

  // MARK: Paths

  private mutating func rows(along path: Query.Path) throws(Query.Problem) -> Rows {
    var rows = try rows(of: path.root)
    for step in path.steps {
      switch step {
      case .field(let name): take(name, &rows)
      case .element(let element): pick(element, &rows)
      case .aggregate: break  // It is made of all that the whole path reaches.
      }
    }
    return rows
  }

  private mutating func rows(of root: Query.Path.Root) throws(Query.Problem) -> Rows {
    switch root {
    case .row: return Rows(place: row)
    case .variable(let name):
      guard let place = variables[name] else { preconditionFailure("a variable was checked") }
      return Rows(place: place)
    case .subquery(let subquery):
      var rows = try rows(along: subquery.collection)
      let outer = (scope, variables)
      defer { (scope, variables) = outer }
      scope = try scope.binding(
        subquery.variable, toElementOf: scope.type(of: subquery.collection))
      variables[subquery.variable] = rows.place
      rows.conditions.append(
        try inScope { (compiler) throws(Query.Problem) in
          try compiler.condition(subquery.predicate, negated: false)
        })
      return rows
    }
  }

  private mutating func take(_ name: String, _ rows: inout Rows) {
    guard case .row(let alias, let entity) = rows.place, let field = entity[name] else {
      preconditionFailure("a path was checked")
    }
    switch field.content {
    case .scalar(_, let nullable, let column):
      // Past a missing row, whatever the column says.
      let isNullable = nullable || rows.source != nil
      rows.place = .value(Value(sql: "\(verbatim: column.of(alias))", isNullable: isNullable))
    case .scalars(_, let column, let source):
      let element = join(source, alias, &rows)
      rows.place = .value(Value(sql: "\(verbatim: column.of(element))", isNullable: true))
    case .toOne(let related, let source):
      rows.place = .row(alias: join(source, alias, &rows, isOptional: true), related())
    case .toMany(let related, let source):
      rows.place = .row(alias: join(source, alias, &rows), related())
    }
  }

  /// Joins the rows that belong to the row `owner` and returns their alias.
  private mutating func join(
    _ source: Query.Field.Source, _ owner: String, _ rows: inout Rows, isOptional: Bool = false
  ) -> String {
    let alias = newName("t")
    let condition: Query.SQL = "\(verbatim: source.join.of(alias, owner: owner))"
    if let former = rows.source {
      let kind = isOptional ? "LEFT JOIN" : "JOIN"
      rows.source = """
        \(former) \(verbatim: kind) \(verbatim: source.table) AS \(verbatim: alias) ON \(condition)
        """
    } else {
      rows.source = "\(verbatim: source.table) AS \(verbatim: alias)"
      rows.conditions.append(condition)
    }
    rows.alias = alias
    rows.order = source.order.map { $0.of(alias) }
    return alias
  }

  /// Goes on from one element of the rows, in their order.
  private func pick(_ element: Query.Path.Element, _ rows: inout Rows) {
    guard let source = rows.source else { preconditionFailure("an index was checked") }
    let (direction, offset) =
      switch element {
      case .first: ("", 0)
      case .last: (" DESC", 0)
      case .at(let index): ("", index)
      }
    let order = rows.order.map { $0 + direction }.joined(separator: ", ")
    let conditions = rows.conditions.map { "(\($0))" as Query.SQL }
    rows.source = """
      (SELECT \(verbatim: rows.alias).* FROM \(source) \
      WHERE \(.joined(conditions, separator: " AND ")) \
      ORDER BY \(verbatim: order) LIMIT 1 OFFSET \(verbatim: "\(offset)")) AS \(verbatim: rows.alias)
      """
    rows.conditions = []
  }

  // MARK: Depth

  private mutating func newName(_ letter: String) -> String {
    nameCount += 1
    return "\(letter)\(nameCount)"
  }

  /// Takes deep SQL out into a common table expression of its own, and leaves its name.
  ///
  /// SQLite's parser has a stack of 100 symbols: 18 nested calls with the inner one last overflow it, or
  /// 11 nested selects. Common table expressions stand side by side, however deep the predicate is.
  private mutating func limited(_ sql: Query.SQL) -> Query.SQL {
    guard sql.nesting > 6 else { return sql }
    let name = newName("e")
    hoisted.append("\(verbatim: name)(v) AS (SELECT \(sql))")
    return "(SELECT v FROM \(verbatim: name))"
  }

  /// Completes SQL about one row with what was taken out of it.
  fileprivate mutating func inScope(
    _ write: (inout Self) throws(Query.Problem) -> Query.SQL
  ) throws(Query.Problem) -> Query.SQL {
    let outer = hoisted
    hoisted = []
    defer { hoisted = outer }
    let sql = try write(&self)
    if hoisted.isEmpty { return sql }
    return "(WITH \(.joined(hoisted, separator: ", ")) SELECT \(sql))"
  }
}

extension Query.SQL {
  /// How many parentheses lie within each other.
  fileprivate var nesting: Int {
    var (open, deepest) = (0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "(") { open += 1 }
      if byte == UInt8(ascii: ")") { open -= 1 }
      deepest = max(deepest, open)
    }
    return deepest
  }
}

extension String {
  /// The SQL of a catalog for rows of these aliases.
  fileprivate func of(_ alias: String, owner: String = "") -> String {
    reduce(into: "") { sql, character in
      switch character {
      case "@": sql += alias
      case "^": sql += owner
      default: sql.append(character)
      }
    }
  }
}

extension Query.Arithmetic {
  fileprivate func sql(_ left: Query.SQL, _ right: Query.SQL) -> Query.SQL {
    switch self {
    case .add: "(\(left) + \(right))"
    case .subtract: "(\(left) - \(right))"
    case .multiply: "(\(left) * \(right))"
    case .divide: "(CAST(\(left) AS REAL) / \(right))"
    case .modulus: "(CAST(\(left) AS INTEGER) % CAST(\(right) AS INTEGER))"
    case .power: "query_power(\(left), \(right))"
    }
  }
}

extension Query.Function {
  fileprivate func sql(_ argument: Query.SQL) -> Query.SQL {
    if let name = sqlName { return "\(verbatim: name)(\(argument))" }
    return "((\(argument) - \(.integer(Query.Instant.startOf2001))) / 1000.0)"
  }
}

extension Query.Aggregate {
  fileprivate func sql(_ value: Query.SQL) -> Query.SQL {
    switch self {
    case .count: "count(*)"
    case .sum: "COALESCE(sum(\(value)), 0)"
    case .average: "avg(\(value))"
    case .minimum: "min(\(value))"
    case .maximum: "max(\(value))"
    }
  }
}

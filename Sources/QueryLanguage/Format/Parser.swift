extension Query.Predicate {
  /// Reads a predicate in the format language of `NSPredicate`, and checks it against `entity`.
  ///
  /// `arguments` are a value for each placeholder, in order; for `%K`, a string with a key path.
  /// `variables` are a value for each `$NAME`.
  public init(
    _ format: String, arguments: [Query.Value] = [], variables: [String: Query.Value] = [:],
    on entity: Query.Entity
  ) throws(Query.FormatError) {
    var parser = try Query.Parser(format, arguments, variables, entity)
    self = try parser.parse()
  }
}

extension Query.SortDescriptor {
  /// Reads an order such as `date:desc,text`; `asc` is understood.
  public static func parse(
    _ order: String, on entity: Query.Entity
  ) throws(Query.FormatError) -> [Self] {
    var descriptors: [Self] = []
    var column = 1
    for term in order.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = term.split(separator: ":", omittingEmptySubsequences: false)
      let direction = parts.count > 1 ? parts[1] : "asc"
      guard parts.count <= 2, direction == "asc" || direction == "desc" else {
        throw Query.FormatError(
          problem: .syntax("“\(term)” should be a field, or a field with “:asc” or “:desc”."),
          column: column)
      }
      let key = parts[0].trimmingPrefix { $0 == " " }
      let descriptor = Self(.init(keys: String(key)), ascending: direction == "asc")
      do throws(Query.Problem) {
        try Query.Scope(entity: entity).check(descriptor)
      } catch {
        throw Query.FormatError(problem: error, column: column)
      }
      descriptors.append(descriptor)
      column += term.count + 1
    }
    return descriptors
  }
}

extension Query {
  /// Reads a format by recursive descent, without ever going back.
  ///
  /// A parenthesis may hold a predicate or an expression, and which is known only at its end; so each
  /// level gives either, and asks for the one it needs when it needs it.
  struct Parser {
    private var lexer: Lexer
    private var token: Token = .end
    private var start = 0
    private var arguments: ArraySlice<Value>
    private let argumentCount: Int
    private let values: [String: Value]
    private var scope: Scope
    private var depth = 0
    /// Whether a string has `%@` in it, which is text there.
    private var quotesPlaceholder = false

    /// What stands at some place of a format.
    private enum Node {
      case predicate(Predicate)
      case expression(Operand)
    }

    private struct Operand {
      let expression: Expression
      let type: ExpressionType
      let start: Int
    }

    init(
      _ format: String, _ arguments: [Value], _ variables: [String: Value], _ entity: Entity
    ) throws(FormatError) {
      lexer = Lexer(format)
      self.arguments = arguments[...]
      argumentCount = arguments.count
      values = variables
      scope = Scope(entity: entity)
      try advance()
    }

    mutating func parse() throws(FormatError) -> Predicate {
      let predicate = try predicate(.disjunction)
      guard token == .end else { throw expected("AND, OR or the end") }
      guard arguments.isEmpty else {
        let used = argumentCount - arguments.count
        let advice = quotesPlaceholder ? ": between quotes, %@ is text" : ""
        throw lexer.error(
          .argument(
            "There are more arguments (\(argumentCount)) than placeholders (\(used))\(advice)."),
          at: start)
      }
      return predicate
    }

    // MARK: Tokens

    private mutating func advance() throws(FormatError) { (token, start) = try lexer.next() }

    /// Goes past the token if it is one of these symbols or, in any case of letters, keywords.
    private mutating func accept(_ spellings: String...) throws(FormatError) -> Bool {
      switch token {
      case .symbol(let symbol) where spellings.contains(symbol): break
      case .word(let word) where spellings.contains(word.uppercased()): break
      default: return false
      }
      try advance()
      return true
    }

    private mutating func expect(_ symbol: String) throws(FormatError) {
      guard try accept(symbol) else { throw expected("“\(symbol)”") }
    }

    private func expected(_ what: String) -> FormatError {
      lexer.error(.syntax("\(what) was expected, but found \(token.description)."), at: start)
    }

    /// Runs a check of types and points at a place for what it throws.
    private func at<Output>(
      _ start: Int, _ body: () throws(Problem) -> Output
    ) throws(FormatError) -> Output {
      do { return try body() } catch { throw lexer.error(error, at: start) }
    }

    private mutating func nested<Output>(
      _ body: (inout Self) throws(FormatError) -> Output
    ) throws(FormatError) -> Output {
      guard depth < Predicate.depthLimit else { throw lexer.error(.tooDeep, at: start) }
      depth += 1
      defer { depth -= 1 }
      return try body(&self)
    }

    // MARK: Predicates

    /// The rules of the grammar, from the one that binds least.
    private enum Rule {
      case disjunction, conjunction, negation, sum, product, power, signed, primary
    }

    private mutating func node(_ rule: Rule) throws(FormatError) -> Node {
      switch rule {
      case .disjunction: try disjunction()
      case .conjunction: try conjunction()
      case .negation: try negation()
      case .sum: try chain(["+": .add, "-": .subtract], of: .product)
      case .product: try chain(["*": .multiply, "/": .divide], of: .power)
      case .power: try chain(["**": .power], of: .signed)
      case .signed: try signed()
      case .primary: try primary()
      }
    }

    /// Reads by a rule what has to be a predicate.
    private mutating func predicate(_ rule: Rule) throws(FormatError) -> Predicate {
      let node = try node(rule)
      return try predicate(node)
    }

    private func predicate(_ node: Node) throws(FormatError) -> Predicate {
      switch node {
      case .predicate(let predicate): return predicate
      case .expression: throw missingOperator()
      }
    }

    /// Reads by a rule what has to be an expression.
    private mutating func operand(_ rule: Rule) throws(FormatError) -> Operand {
      let start = start
      switch try node(rule) {
      case .expression(let operand): return operand
      case .predicate:
        throw lexer.error(.syntax("A value was expected, but this is a comparison."), at: start)
      }
    }

    private func missingOperator() -> FormatError {
      switch token {
      case .word("NOT"), .word("not"):
        return lexer.error(
          .syntax("NOT stands before the whole comparison, as in NOT label IN {…}."), at: start)
      case .word("IS"), .word("is"):
        return lexer.error(
          .syntax("“IS NULL” is not of this language: write == nil or != nil."), at: start)
      case .word(let word) where !word.isKeyword:
        let operators = Operator.allCases.map(\.keyword)
        return lexer.error(
          .unknown(word, kind: "comparison operator", among: operators), at: start)
      default: return expected("A comparison operator such as == or CONTAINS")
      }
    }

    private mutating func disjunction() throws(FormatError) -> Node {
      let first = try conjunction()
      guard token == .symbol("||") || token.isWord("OR") else { return first }
      var parts = [try predicate(first)]
      while try accept("||", "OR") { parts.append(try predicate(.conjunction)) }
      return .predicate(.or(parts))
    }

    private mutating func conjunction() throws(FormatError) -> Node {
      let first = try negation()
      guard token == .symbol("&&") || token.isWord("AND") else { return first }
      var parts = [try predicate(first)]
      while try accept("&&", "AND") { parts.append(try predicate(.negation)) }
      return .predicate(.and(parts))
    }

    private mutating func negation() throws(FormatError) -> Node {
      guard try accept("!", "NOT") else { return try comparison() }
      return try nested { (parser) throws(FormatError) in
        .predicate(.not(try parser.predicate(.negation)))
      }
    }

    private mutating func comparison() throws(FormatError) -> Node {
      if try accept("TRUEPREDICATE") { return .predicate(.constant(true)) }
      if try accept("FALSEPREDICATE") { return .predicate(.constant(false)) }
      if try accept("ANY", "SOME") { return .predicate(try quantified(.any)) }
      if try accept("ALL") { return .predicate(try quantified(.all)) }
      if try accept("NONE") { return .predicate(.not(try quantified(.any))) }
      let start = start
      let node = try node(.sum)
      guard Operator(token) != nil else { return node }
      switch node {
      case .expression(let left): return .predicate(try comparison(of: left, nil))
      case .predicate:
        throw lexer.error(.syntax("A comparison cannot be compared with anything."), at: start)
      }
    }

    private mutating func quantified(_ quantifier: Quantifier) throws(FormatError) -> Predicate {
      let left = try operand(.sum)
      return try comparison(of: left, quantifier)
    }

    private mutating func comparison(
      of left: Operand, _ quantifier: Quantifier?
    ) throws(FormatError) -> Predicate {
      guard let `operator` = Operator(token) else { throw missingOperator() }
      let operatorStart = start
      try advance()
      let options = try options()
      let right = try operand(.sum)
      let comparison = Comparison(
        left.expression, `operator`, right.expression, quantifier: quantifier, options: options)
      do throws(Misfit) {
        try comparison.check(left.type, right.type)
      } catch {
        let start =
          switch error.part {
          case .left: left.start
          case .operator: operatorStart
          case .right: right.start
          }
        throw lexer.error(error.problem, at: start)
      }
      return .comparison(comparison)
    }

    private mutating func options() throws(FormatError) -> TextOptions {
      guard try accept("[") else { return [] }
      guard case .word(let letters) = token, let options = TextOptions(letters: letters) else {
        throw expected("“c”, “d” or “cd”")
      }
      try advance()
      try expect("]")
      return options
    }

    // MARK: Expressions

    /// Operands with operators of one precedence between them, from left to right.
    private mutating func chain(
      _ operations: [String: Arithmetic], of rule: Rule
    ) throws(FormatError) -> Node {
      let start = start
      var node = try node(rule)
      var count = 0
      while case .symbol(let symbol) = token, let operation = operations[symbol] {
        // Each operator nests what is before it one level deeper.
        count += 1
        guard depth + count <= Predicate.depthLimit else {
          throw lexer.error(.tooDeep, at: self.start)
        }
        guard case .expression(let left) = node else {
          throw lexer.error(.syntax("A comparison is no number."), at: start)
        }
        try advance()
        let right = try operand(rule)
        node = .expression(try arithmetic(operation, left, right, at: start))
      }
      return node
    }

    private func arithmetic(
      _ operation: Arithmetic, _ left: Operand, _ right: Operand, at start: Int
    ) throws(FormatError) -> Operand {
      let type = try at(start) { () throws(Problem) in
        try ExpressionType.arithmetic(operation, left.type, right.type)
      }
      return Operand(
        expression: .arithmetic(operation, left.expression, right.expression), type: type,
        start: start)
    }

    private mutating func signed() throws(FormatError) -> Node {
      let start = start
      guard try accept("-") else { return try primary() }
      // A sign before a number belongs to it.
      switch token {
      case .integer(let magnitude) where magnitude <= UInt64(Int64.max) + 1:
        try advance()
        return .expression(literal(.integer(Int64(truncatingIfNeeded: 0 &- magnitude)), start))
      case .double(let value):
        try advance()
        return .expression(literal(.double(-value), start))
      default:
        return try nested { (parser) throws(FormatError) in
          let operand = try parser.operand(.signed)
          let type = try parser.at(operand.start) { () throws(Problem) in
            try ExpressionType.negative(of: operand.type)
          }
          return .expression(
            Operand(expression: .negative(operand.expression), type: type, start: start))
        }
      }
    }

    private func literal(_ value: Value, _ start: Int) -> Operand {
      Operand(expression: .value(value), type: ExpressionType(value), start: start)
    }

    private mutating func primary() throws(FormatError) -> Node {
      let start = start
      let token = token
      switch token {
      case .symbol("("):
        return try nested { (parser) throws(FormatError) in
          try parser.advance()
          let node = try parser.disjunction()
          try parser.expect(")")
          return node
        }
      case .symbol("{"): return .expression(try nested { (p) throws(FormatError) in try p.list() })
      case .string(let text):
        if text.contains("%@") { quotesPlaceholder = true }
        try advance()
        return .expression(literal(.string(text), start))
      case .integer(let magnitude):
        guard let value = Int64(exactly: magnitude) else {
          throw lexer.error(.syntax("“\(magnitude)” is too large a number."), at: start)
        }
        try advance()
        return .expression(literal(.integer(value), start))
      case .double(let value):
        try advance()
        return .expression(literal(.double(value), start))
      case .placeholder("K"): return .expression(try keyPathArgument())
      case .placeholder(let conversion):
        let value = try argument(for: conversion)
        try advance()
        return .expression(literal(value, start))
      case .variable(let name): return .expression(try variable(name))
      case .key(let name): return .expression(try path(beginningWith: name))
      case .word(let word): return .expression(try operand(beginningWith: word))
      default: throw missingValue()
      }
    }

    private func missingValue() -> FormatError {
      guard case .word(let word) = token,
        ["ANY", "SOME", "ALL", "NONE"].contains(word.uppercased())
      else { return expected("A value or a key") }
      return lexer.error(
        .syntax("\(word) stands before the whole comparison, as in ANY tags == \"a\"."), at: start)
    }

    private mutating func list() throws(FormatError) -> Operand {
      let start = start
      try advance()
      var members: [Operand] = []
      if token != .symbol("}") {
        repeat {
          let memberStart = self.start
          let member = try operand(.sum)
          switch member.type {
          case .list, .many:
            throw lexer.error(
              .type("A member of a list is a single value, not \(member.type.description)."),
              at: memberStart)
          default: members.append(member)
          }
        } while try accept(",")
      }
      try expect("}")
      let values = members.compactMap {
        if case .value(let value) = $0.expression { value } else { nil }
      }
      return Operand(
        expression: values.count == members.count
          ? .value(.list(values)) : .list(members.map(\.expression)),
        type: .list(members.map(\.type)), start: start)
    }

    private mutating func operand(beginningWith word: String) throws(FormatError) -> Operand {
      let start = start
      if let value = Value(literal: word) {
        try advance()
        return literal(value, start)
      }
      if word.uppercased() == "SELF" {
        try advance()
        return try path(from: .row, start)
      }
      guard !word.isKeyword else { throw missingValue() }
      // A name is a function's where a parenthesis or the colon of a selector follows it.
      var ahead = lexer
      switch try ahead.next().token {
      case .symbol("("), .symbol(":"): return try nested { (p) throws(FormatError) in try p.call() }
      default: return try path(beginningWith: word)
      }
    }

    // MARK: Arguments and variables

    private mutating func takeArgument() throws(FormatError) -> Value {
      guard let value = arguments.popFirst() else {
        throw lexer.error(.argument("There is no argument for this placeholder."), at: start)
      }
      return value
    }

    private mutating func argument(for conversion: Character) throws(FormatError) -> Value {
      let value = try takeArgument()
      let isRight: Bool =
        switch (conversion, value) {
        case ("d", .integer), ("d", .bool), ("f", .integer), ("f", .double): true
        case ("@", .list(let members)):
          !members.contains { if case .list = $0 { true } else { false } }
        default: conversion == "@"
        }
      guard isRight else {
        let type = ExpressionType(value).description
        throw lexer.error(.argument("%\(conversion) does not take \(type)."), at: start)
      }
      if case .double(let number) = value, number.isNaN { return .null }
      return value
    }

    private mutating func keyPathArgument() throws(FormatError) -> Operand {
      let start = start
      guard case .string(let keys) = try takeArgument() else {
        throw lexer.error(.argument("%K takes a string with a key path."), at: start)
      }
      try advance()
      var walk = PathWalk(from: .record(scope.entity))
      let path = Path(keys: keys)
      return try at(start) { () throws(Problem) in
        for step in path.steps { try walk.take(step) }
        return Operand(expression: .path(path), type: try walk.end(), start: start)
      }
    }

    private mutating func variable(_ name: String) throws(FormatError) -> Operand {
      let start = start
      if scope.variables[name] != nil {
        try advance()
        return try path(from: .variable(name), start)
      }
      guard let value = values[name] else {
        throw lexer.error(.argument("The variable $\(name) has no value."), at: start)
      }
      try advance()
      return literal(value, start)
    }

    // MARK: Paths and calls

    private mutating func path(beginningWith name: String) throws(FormatError) -> Operand {
      let start = start
      var walk = PathWalk(from: .record(scope.entity))
      try at(start) { () throws(Problem) in try walk.take(.field(name)) }
      try advance()
      return try path(from: .row, start, after: [.field(name)], walk)
    }

    private mutating func path(
      from root: Path.Root, _ start: Int
    ) throws(FormatError) -> Operand {
      let type = try at(start) { () throws(Problem) in try scope.type(of: root) }
      return try path(from: root, start, after: [], PathWalk(from: type))
    }

    private mutating func path(
      from root: Path.Root, _ start: Int, after steps: [Path.Step], _ walk: PathWalk
    ) throws(FormatError) -> Operand {
      var (steps, walk) = (steps, walk)
      while true {
        let stepStart: Int
        let step: Path.Step
        if try accept(".") {
          stepStart = self.start
          step = try stepAfterDot()
        } else if token == .symbol("[") {
          stepStart = self.start
          step = try index()
        } else {
          break
        }
        try at(stepStart) { () throws(Problem) in try walk.take(step) }
        steps.append(step)
      }
      let type = try at(start) { () throws(Problem) in try walk.end() }
      return Operand(expression: .path(Path(root: root, steps)), type: type, start: start)
    }

    private mutating func stepAfterDot() throws(FormatError) -> Path.Step {
      switch token {
      case .word(let name), .key(let name):
        try advance()
        return .field(name)
      case .aggregate(let name):
        guard let aggregate = Aggregate(rawValue: name) else {
          throw lexer.error(
            .unknown(
              name, kind: "collection operator", among: Aggregate.allCases.map(\.rawValue)),
            at: start)
        }
        try advance()
        return .aggregate(aggregate)
      default: throw expected("A key")
      }
    }

    private mutating func index() throws(FormatError) -> Path.Step {
      try advance()
      let start = start
      let step: Path.Step
      if try accept("FIRST") {
        step = .element(.first)
      } else if try accept("LAST") {
        step = .element(.last)
      } else if try accept("SIZE") {
        step = .aggregate(.count)
      } else {
        let index = try operand(.primary)
        guard case .value(.integer(let number)) = index.expression, number >= 0 else {
          throw lexer.error(
            .syntax("FIRST, LAST, SIZE or a number from 0 was expected as an index."), at: start)
        }
        step = .element(.at(Int(number)))
      }
      try expect("]")
      return step
    }

    private mutating func call() throws(FormatError) -> Operand {
      let start = start
      var name = ""
      while case .word(let word) = token {
        name += word
        try advance()
        if try accept(":") { name += ":" }
      }
      switch name.uppercased() {
      case "SUBQUERY": return try subquery(start)
      case "CAST": return try cast(start)
      default: break
      }
      try expect("(")
      var arguments: [Operand] = []
      if token != .symbol(")") {
        repeat {
          arguments.append(try operand(.sum))
        } while try accept(",")
      }
      try expect(")")
      return try result(of: name, arguments, at: start)
    }

    private func result(
      of name: String, _ arguments: [Operand], at start: Int
    ) throws(FormatError) -> Operand {
      let expressions = arguments.map(\.expression)
      let plainName = name.hasSuffix(":") && arguments.count == 1 ? String(name.dropLast()) : name
      if let operation = Arithmetic.allCases.first(where: { $0.functionName == name }) {
        guard arguments.count == 2 else {
          throw lexer.error(.type("\(name) takes 2 arguments, not \(arguments.count)."), at: start)
        }
        return try arithmetic(operation, arguments[0], arguments[1], at: start)
      }
      if let aggregate = Aggregate.allCases.first(where: { $0.functionName == plainName }) {
        guard arguments.count == 1, case .path(let path) = expressions[0],
          case .many = arguments[0].type
        else {
          throw lexer.error(.type("\(plainName) takes a to-many field."), at: start)
        }
        return try at(start) { () throws(Problem) in
          let path = try scope.path(path, aggregatedBy: aggregate)
          return Operand(expression: .path(path), type: try scope.type(of: path), start: start)
        }
      }
      guard let function = Function.callable.first(where: { $0.rawValue == plainName }) else {
        let names =
          Function.callable.map(\.rawValue) + Arithmetic.allCases.map(\.functionName)
          + Aggregate.allCases.map(\.functionName)
        throw lexer.error(.unknown(name, kind: "function", among: names), at: start)
      }
      let type = try at(arguments.first?.start ?? start) { () throws(Problem) in
        try ExpressionType.result(of: function, arguments.map(\.type))
      }
      return Operand(expression: .function(function, expressions), type: type, start: start)
    }

    private mutating func cast(_ start: Int) throws(FormatError) -> Operand {
      try expect("(")
      let argument = try operand(.sum)
      try expect(",")
      let function: Function
      switch token {
      case .string("NSDate"): function = .castToDate
      case .string("NSNumber"): function = .castToNumber
      default: throw expected("\"NSDate\" or \"NSNumber\"")
      }
      try advance()
      try expect(")")
      let type = try at(argument.start) { () throws(Problem) in
        try ExpressionType.result(of: function, [argument.type])
      }
      // A number cast to a date is the way to write a date.
      if function == .castToDate, case .value(let seconds) = argument.expression {
        return literal(function.apply(seconds), start)
      }
      return Operand(
        expression: .function(function, [argument.expression]), type: type, start: start)
    }

    private mutating func subquery(_ start: Int) throws(FormatError) -> Operand {
      try expect("(")
      let collectionStart = self.start
      let collection = try operand(.primary)
      guard case .path(let path) = collection.expression else {
        throw lexer.error(.type("SUBQUERY goes through a to-many field."), at: collectionStart)
      }
      try expect(",")
      guard case .variable(let variable) = token else { throw expected("A variable such as $x") }
      try advance()
      try expect(",")
      let outer = scope
      scope = try at(collectionStart) { () throws(Problem) in
        try outer.binding(variable, toElementOf: collection.type)
      }
      let predicate = try predicate(.disjunction)
      scope = outer
      try expect(")")
      return try self.path(
        from: .subquery(Subquery(path, variable: variable, predicate)), start)
    }
  }
}

extension Query.Function {
  /// The functions that are called by their name; the casts are written as CAST.
  static let callable = allCases.filter { $0 != .castToDate && $0 != .castToNumber }
}

extension Query.Token {
  fileprivate func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = self { word.uppercased() == keyword } else { false }
  }
}

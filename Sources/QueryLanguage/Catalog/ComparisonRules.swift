extension Query.Comparison {
  /// Refuses sides that the comparison cannot be made between.
  func check(
    _ left: Query.ExpressionType, _ right: Query.ExpressionType
  ) throws(Query.Misfit) {
    let left = try element(of: left)
    switch `operator` {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      try check(left, .left, isComparableWith: right, .right)
    case .between: try check(left, isWithin: right)
    case .in: try check(left, .left, isMemberOf: right, .right)
    case .contains: try check(right, .right, isMemberOf: left, .left)
    case .beginsWith, .endsWith, .like, .matches:
      try check(left, .left, isText: "has text on its left")
      try check(right, .right, isText: "has text on its right")
    }
    if `operator` == .matches {
      guard case .value(let pattern) = self.right else {
        throw misfit(.right, "MATCHES takes its expression as a literal or an argument.")
      }
      if case .string(let pattern) = pattern { try check(regularExpression: pattern) }
    }
    guard options.isEmpty || left.isTextual && right.isTextual else {
      throw misfit(.operator, "[\(options.letters)] goes with text.")
    }
  }

  private func element(
    of left: Query.ExpressionType
  ) throws(Query.Misfit) -> Query.ExpressionType {
    guard quantifier != nil else { return left }
    if case .many(let element) = left { return element }
    throw misfit(.left, "ANY, ALL, SOME and NONE go with a to-many field, not \(left.description).")
  }

  private func check(
    _ left: Query.ExpressionType, _ leftPart: Query.Misfit.Part,
    isComparableWith right: Query.ExpressionType, _ rightPart: Query.Misfit.Part
  ) throws(Query.Misfit) {
    for (side, part) in [(left, leftPart), (right, rightPart)] {
      if case .many = side {
        throw misfit(
          part,
          "A to-many field is compared with ANY, ALL or NONE before it, by IN, or by its @count.")
      }
    }
    guard left.isComparable(with: right) else {
      let isTextForDate = left.isDate && right.isStringOrNull || left.isStringOrNull && right.isDate
      let advice = isTextForDate ? ": dates come as arguments, for %@" : ""
      throw misfit(
        rightPart,
        "\(left.description) cannot be compared with \(right.description)\(advice).".sentence)
    }
  }

  private func check(
    _ left: Query.ExpressionType, isWithin right: Query.ExpressionType
  ) throws(Query.Misfit) {
    if right.isNull { return try check(left, .left, isComparableWith: right, .right) }
    guard case .list(let bounds) = right, bounds.count == 2 else {
      throw misfit(.right, "BETWEEN takes a list of two, {lower, upper}.")
    }
    for bound in bounds { try check(left, .left, isComparableWith: bound, .right) }
  }

  private func check(
    _ element: Query.ExpressionType, _ elementPart: Query.Misfit.Part,
    isMemberOf whole: Query.ExpressionType, _ wholePart: Query.Misfit.Part
  ) throws(Query.Misfit) {
    switch whole {
    case .many(let member): try check(member, wholePart, isComparableWith: element, elementPart)
    case .list(let members):
      // An empty list still refuses a to-many field.
      for member in [.null] + members {
        try check(element, elementPart, isComparableWith: member, wholePart)
      }
    case .scalar(.string): try check(element, elementPart, isText: "looks in a string for text")
    case .null: try check(element, elementPart, isComparableWith: .null, wholePart)
    default: throw misfit(wholePart, "A list or a string is needed, not \(whole.description).")
    }
  }

  private func check(
    _ type: Query.ExpressionType, _ part: Query.Misfit.Part, isText claim: String
  ) throws(Query.Misfit) {
    if case .many = type { return try check(type, part, isComparableWith: .null, part) }
    guard type.isStringOrNull else {
      throw misfit(part, "\(`operator`.keyword) \(claim), not \(type.description).")
    }
  }

  private func check(regularExpression pattern: String) throws(Query.Misfit) {
    do {
      _ = try TextMatcher(.matches, pattern, options: options)
    } catch {
      throw .init(part: .right, problem: error)
    }
  }

  private func misfit(_ part: Query.Misfit.Part, _ sentence: String) -> Query.Misfit {
    .init(part: part, problem: .type(sentence))
  }
}

extension Query.ExpressionType {
  fileprivate var isDate: Bool { if case .scalar(.date) = self { true } else { false } }

  /// Whether options such as `[c]` mean something to it.
  fileprivate var isTextual: Bool {
    switch self {
    case .many(let element): element.isStringOrNull
    case .list(let members): members.allSatisfy(\.isStringOrNull)
    default: isStringOrNull
    }
  }
}

extension String {
  /// With a capital at its beginning.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() }
}

extension Query {
  /// What stands on either side of a comparison.
  public indirect enum Expression: Sendable, Hashable {
    /// A literal, an argument or the value of a variable.
    case value(Value)
    /// `{a, b}` where some member is not a literal.
    case list([Expression])
    /// What a record has under a key path.
    case path(Path)
    /// `-a`.
    case negative(Expression)
    /// `a + b` and its kin.
    case arithmetic(Arithmetic, Expression, Expression)
    /// `abs(a)` and its kin.
    case function(Function, [Expression])
  }

  /// An operation on two numbers; with nil on either side, and where it is undefined, nil.
  public enum Arithmetic: Sendable, Hashable, CaseIterable {
    /// Whole numbers give a whole number where 64 bits can hold it.
    case add, subtract, multiply
    /// Never rounded: `5 / 2` is 2.5.
    case divide
    /// The remainder of whole numbers, with the sign of the dividend.
    case modulus
    case power
  }

  /// A function that a format can call.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    case abs, ceiling, floor, trunc, sqrt, exp, ln, log
    case lowercase, uppercase
    /// The time of the evaluation.
    case now
    /// `CAST(seconds since the start of 2001 UTC, "NSDate")`.
    case castToDate
    /// `CAST(date, "NSNumber")`.
    case castToNumber
  }

  /// A way from a record, over its fields, to a value or to many.
  public struct Path: Sendable, Hashable {
    /// Where the way begins.
    public var root: Root
    /// The way itself; empty for `SELF` or a variable alone.
    public var steps: [Step]

    /// The way over `steps`, by default from the record that is asked about.
    public init(root: Root = .row, _ steps: [Step]) {
      self.root = root
      self.steps = steps
    }

    /// Where a path begins.
    public indirect enum Root: Sendable, Hashable {
      /// The record that is asked about.
      case row
      /// An element of the collection that a subquery goes through.
      case variable(String)
      /// The elements that a subquery selects.
      case subquery(Subquery)
    }

    /// A step of a path.
    public enum Step: Sendable, Hashable {
      case field(String)
      /// What is made of all elements so far; the steps that follow say of which of their fields.
      case aggregate(Aggregate)
      /// One element of a to-many field, in its order.
      case element(Element)
    }

    /// Which element of a to-many field.
    public enum Element: Sendable, Hashable {
      case first, last
      /// Counted from 0; past the end, nil.
      case at(Int)
    }
  }

  /// What is made of many elements.
  public enum Aggregate: String, Sendable, Hashable, CaseIterable {
    /// How many there are.
    case count
    /// Of nothing, 0.
    case sum
    /// Of nothing, nil, as for the ones below.
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
  }

  /// `SUBQUERY(collection, $variable, predicate)`: the elements that satisfy a predicate.
  public struct Subquery: Sendable, Hashable {
    /// A to-many path.
    public var collection: Path
    /// The name, without `$`, that `predicate` calls an element by.
    public var variable: String
    /// What an element has to satisfy.
    public var predicate: Predicate

    /// Selects the elements of `collection` that satisfy `predicate`.
    public init(_ collection: Path, variable: String, _ predicate: Predicate) {
      self.collection = collection
      self.variable = variable
      self.predicate = predicate
    }
  }
}

extension Query.Path: ExpressibleByStringLiteral {
  /// The path over plain fields, such as `"note.text"`; `@count` and its kin are steps of their own.
  public init(stringLiteral keys: String) { self.init(keys: keys) }

  /// The path over `keys`, separated by dots.
  ///
  /// No name is checked before the predicate is used.
  public init(keys: String) {
    self.init(
      keys.split(separator: ".", omittingEmptySubsequences: false).map { key in
        if key.first == "@", let aggregate = Query.Aggregate(rawValue: String(key.dropFirst())) {
          .aggregate(aggregate)
        } else {
          .field(String(key))
        }
      })
  }
}

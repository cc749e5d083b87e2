extension Query {
  /// What can be asked about: a kind of record, its fields, and where a database keeps them.
  ///
  /// In the SQL of an entity, `@` stands for the row's alias and, in a join, `^` for that of the row
  /// which the related ones belong to: `"@.note = ^.id"`.
  public struct Entity: Sendable {
    /// What messages call it, such as `note`.
    public let name: String
    /// The table whose rows are the records.
    public let table: String
    /// SQL for what tells records apart and orders those that are equal, such as `["@.id"]`.
    public let identity: [String]
    /// The fields in the order in which they are listed to a person.
    public let fields: [Field]
    private let fieldsByName: [String: Field]

    /// Describes a kind of record.
    public init(_ name: String, table: String, identity: [String], fields: [Field]) {
      self.name = name
      self.table = table
      self.identity = identity
      self.fields = fields
      fieldsByName = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) })
    }

    /// The field of that name, upper and lower case told apart.
    public subscript(name: String) -> Field? { fieldsByName[name] }

    /// The paths to the fields of related records, such as `photos.width`.
    var relatedPaths: [String] {
      fields.flatMap { field -> [String] in
        switch field.content {
        case .toOne(let related, _), .toMany(let related, _):
          related().fields.map { "\(field.name).\($0.name)" }
        case .scalar, .scalars: []
        }
      }
    }
  }

  /// A name that a predicate or a sort descriptor may use.
  public struct Field: Sendable {
    /// The key in a format.
    public let name: String
    /// What is under the key.
    public let content: Content
    /// One line about it, for a person who asks which fields there are.
    public let summary: String

    /// What is under a key.
    public enum Content: Sendable {
      /// A single value. `column` is SQL, a column (`"@.memo"`) or any expression.
      case scalar(ScalarType, nullable: Bool, column: String)
      /// Values in an order; `column` is SQL over a row of `source`.
      case scalars(ScalarType, column: String, Source)
      /// A related record, or nil where `source` has no row. The entity is asked for when it is
      /// needed, so that two may refer to each other.
      case toOne(@Sendable () -> Entity, Source)
      /// Related records in an order.
      case toMany(@Sendable () -> Entity, Source)
    }

    /// The rows that belong to another.
    public struct Source: Sendable {
      /// The table they are in.
      public let table: String
      /// SQL that holds between a row `@` of `table` and its owner `^`.
      public let join: String
      /// SQL for the order of the rows; has to tell them all apart.
      public let order: [String]

      /// The rows of `table` for which `join` holds, in this order.
      public init(table: String, join: String, order: [String] = []) {
        self.table = table
        self.join = join
        self.order = order
      }
    }

    /// A field of any kind.
    public init(_ name: String, _ content: Content, _ summary: String) {
      self.name = name
      self.content = content
      self.summary = summary
    }

    /// A field with a single value, by default in the column of its own name.
    public static func scalar(
      _ name: String, _ type: ScalarType, nullable: Bool = false, column: String? = nil,
      _ summary: String
    ) -> Field {
      Field(name, .scalar(type, nullable: nullable, column: column ?? "@.\(name)"), summary)
    }
  }

  /// The type of a single value.
  public enum ScalarType: String, Sendable, Hashable, CaseIterable {
    case string
    /// A 64-bit integer; 0 or 1 for a boolean, to SQL.
    case integer, double, boolean
    /// To SQL, milliseconds since the start of 1970 UTC.
    case date

    /// Whether it can be compared with, and calculated with, any other number.
    package var isNumber: Bool { self == .integer || self == .double || self == .boolean }
  }
}

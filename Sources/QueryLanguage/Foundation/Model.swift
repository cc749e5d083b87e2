internal import FoundationEssentials
public import FoundationInternationalization

extension Query {
  /// A type whose values are records of an entity, so that `#Predicate` and `SortDescriptor` can ask
  /// about them.
  public protocol Model {
    /// What the records are.
    static var entity: Entity { get }
    /// The fields of the entity by the properties that hold them; related models have their own.
    static var fieldNames: [PartialKeyPath<Self>: String] { get }
  }
}

extension Query.SortDescriptor {
  /// The key of an order of models, as a key of an order of their records.
  ///
  /// - Throws: `.untranslatable` for a property that is no field.
  public init<Model: Query.Model>(
    _ descriptor: FoundationInternationalization.SortDescriptor<Model>
  ) throws(Query.Problem) {
    guard let keyPath = descriptor.keyPath, let name = Model.fieldNames[keyPath] else {
      throw .untranslatable("the key path of \(descriptor)")
    }
    self.init(Query.Path([.field(name)]), ascending: descriptor.order == .forward)
  }
}

/// The way to a field that an option or an argument writes to.
package typealias Field<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

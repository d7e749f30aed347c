/// Stores an immutable value with many fields on the heap. The types that contain it are small then: the compiler writes
/// functions that copy and destroy each type field by field, which were 7 % of the program.
@propertyWrapper
package final class Shared<Value: Sendable>: Sendable {
    package let wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

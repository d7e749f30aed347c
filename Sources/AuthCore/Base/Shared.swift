/// Stores an immutable value with many fields on the heap, so that the types that contain it are small. The compiler
/// generates code that copies and destroys each field of a type, which was 7 % of the program.
@propertyWrapper
package final class Shared<Value: Sendable>: Sendable {
    package let wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

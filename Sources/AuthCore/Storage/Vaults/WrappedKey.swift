/// To be replaced.
struct WrappedKey {
    static let name = "key.wrapped"
}

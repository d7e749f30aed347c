/// Encrypts single values for the database. The associated data contains the value's place, so that it cannot be moved
/// to another account, provider or column.
/// The rest of the database is readable: sessions can be listed without the key, and permissions of the file protect who
/// has accounts where. An encrypted database would need another SQLite.
struct Sealer: Sendable {
    let key: DataKey
    let random: RandomSource

    /// The place of an encrypted value in the store.
    struct Place: Sendable {
        let account: String
        let provider: String
        let field: String

        var associatedData: [UInt8] {
            // With the length before each part, no two places have the same bytes.
            [account, provider, field].flatMap { Array("\($0.utf8.count):\($0)".utf8) }
        }
    }

    func seal(_ text: String, at place: Place) throws -> [UInt8] {
        var bytes = Array(text.utf8)
        defer { bytes.wipe() }
        return try SealedBox.seal(bytes, key: key, associatedData: place.associatedData, random: random)
    }

    func open(_ box: [UInt8], at place: Place) throws -> String {
        let damaged = StoreError.damagedEntry("\(place.field) of '\(place.provider)'")
        guard var bytes = try? SealedBox.open(box, key: key, associatedData: place.associatedData) else {
            throw damaged
        }
        defer { bytes.wipe() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw damaged }
        return text
    }
}

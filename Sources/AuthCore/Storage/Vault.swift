/// Keeps the data key that seals every secret of the store.
public protocol Vault: Sendable {
    /// The word for it in `config.yaml` and in the database.
    var kind: String { get }
    /// Returns the key; nil when there is none yet.
    /// - Throws: `StoreError`.
    func dataKey() throws -> DataKey?
    /// Keeps a new key unless there is one already, and returns the one that is kept.
    /// - Throws: `StoreError`.
    func makeDataKey(random: RandomSource) throws -> DataKey
}

/// The vault that is a file, `key`, beside the database: as safe as the file's mode.
public struct KeyFileVault: Vault {
    let directory: ConfigDirectory

    public init(directory: ConfigDirectory) { self.directory = directory }

    public var kind: String { "file" }
    public static let name = "key"

    public func dataKey() throws -> DataKey? {
        guard var text = try directory.read(KeyFileVault.name, .secret, maximumLength: 1024) else { return nil }
        defer { text.wipe() }
        if text.last == 10 { text.removeLast() }
        guard var raw = Base64URL.decode(text), let key = DataKey(moving: &raw) else {
            throw StoreError.lostKey(path: directory.path(of: KeyFileVault.name))
        }
        return key
    }

    public func makeDataKey(random: RandomSource) throws -> DataKey {
        if let key = try dataKey() { return key }
        var bytes = try random.bytes(DataKey.length)
        let isOurs = try directory.createFile(KeyFileVault.name, Array((Base64URL.encode(bytes) + "\n").utf8))
        guard let key = isOurs ? DataKey(moving: &bytes) : try dataKey() else {
            throw StoreError.lostKey(path: directory.path(of: KeyFileVault.name))
        }
        return key
    }
}

/// Seals single values for the database. The associated data says where a value belongs, so that one cannot be moved
/// to another account, provider or column.
struct Sealer: Sendable {
    let key: DataKey
    let random: RandomSource

    /// Names the place of a sealed value.
    struct Place: Sendable {
        let account: String
        let provider: String
        let field: String

        var associatedData: [UInt8] {
            // Lengths first: no two places have the same bytes.
            [account, provider, field].flatMap { Array("\($0.utf8.count):\($0)".utf8) }
        }
    }

    func seal(_ text: String, at place: Place) throws -> [UInt8] {
        var bytes = Array(text.utf8)
        defer { bytes.wipe() }
        return try SealedBox.seal(bytes, key: key, associatedData: place.associatedData, random: random)
    }

    /// - Throws: `StoreError.damagedEntry` when the value was not sealed for this place with this key.
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

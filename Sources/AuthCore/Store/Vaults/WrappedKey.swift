/// The data key in the file `key.wrapped`, encrypted (AES-256-GCM) with a key that scrypt derives from a passphrase.
///
/// One line of text, `authctl-key$1$scrypt$N$r$p$SALT$BOX$CHECK`, with one valid spelling: numbers in decimal, bytes as
/// base64url. The text up to SALT is the associated data. CHECK is the SHA-256 of the text up to BOX. It does not
/// protect against an attacker who can write the file: it distinguishes a damaged file from a wrong passphrase.
struct WrappedKey: Sendable, Equatable {
    enum Fault: Error, Sendable, Equatable {
        /// A byte was changed, removed or added.
        case damaged
        case newer
        case tooExpensive
    }

    let cost: ScryptCost
    let salt: [UInt8]
    let box: [UInt8]

    static let name = "key.wrapped"

    private static let kind = "authctl-key"
    private static let version = "1"
    private static let saltLength = 16
    private static let boxLength = SealedBox.nonceLength + DataKey.length + SealedBox.tagLength
    /// The maximum length of the file in bytes.
    static let longest = 1024

    /// Wraps a key, with a new salt.
    /// - Returns: also the key derived from the passphrase, to verify the written file without another scrypt run.
    static func wrapping(
        _ key: DataKey, with passphrase: VaultPassphrase, cost: ScryptCost = .wrapping, random: RandomSource
    ) throws -> (wrapped: WrappedKey, wrappingKey: DataKey) {
        let bare = WrappedKey(cost: cost, salt: try random.bytes(saltLength), box: [])
        let wrappingKey = try bare.wrappingKey(passphrase)
        var bytes = key.bytes.withUnsafeBytes { Array($0) }
        defer { bytes.wipe() }
        let box = try SealedBox.seal(bytes, key: wrappingKey, associatedData: Array(bare.header.utf8), random: random)
        return (WrappedKey(cost: cost, salt: bare.salt, box: box), wrappingKey)
    }
}

extension WrappedKey {
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= WrappedKey.longest, bytes.last == 10, bytes.dropLast().allSatisfy({ $0 < 0x80 }) else {
            throw .damaged
        }
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        // CHECK is verified first, in every version: no field of a damaged file is trusted.
        guard parts.count > 2, let check = parts.last, parts[0] == WrappedKey.kind,
            check == WrappedKey.check(text.utf8.dropLast(check.utf8.count + 1))
        else { throw .damaged }
        guard parts[1] == WrappedKey.version else { throw .newer }
        guard parts.count == 9, parts[2] == "scrypt", let iterations = WrappedKey.number(parts[3]),
            let size = WrappedKey.number(parts[4]), let parallelization = WrappedKey.number(parts[5]),
            let salt = Base64URL.decode(parts[6].utf8), salt.count == WrappedKey.saltLength,
            let box = Base64URL.decode(parts[7].utf8), box.count == WrappedKey.boxLength
        else { throw .damaged }
        let cost = ScryptCost(iterations: iterations, blockSize: size, parallelization: parallelization)
        guard cost.isSensible else { throw .tooExpensive }
        self.init(cost: cost, salt: salt, box: box)
    }

    var bytes: [UInt8] {
        let text = "\(header)$\(Base64URL.encode(box))"
        return Array("\(text)$\(WrappedKey.check(text.utf8))\n".utf8)
    }

    private var header: String {
        let numbers = "\(cost.iterations)$\(cost.blockSize)$\(cost.parallelization)"
        return "\(WrappedKey.kind)$\(WrappedKey.version)$scrypt$\(numbers)$\(Base64URL.encode(salt))"
    }

    private static func check(_ text: some Sequence<UInt8>) -> String {
        // If SHA-256 fails, every file counts as damaged.
        Base64URL.encode((try? HashFunction.sha256.digest(text)) ?? [])
    }

    private static func number(_ text: Substring) -> UInt64? { UInt64(text).flatMap { String($0) == text ? $0 : nil } }

    func wrappingKey(_ passphrase: VaultPassphrase) throws -> DataKey {
        var bytes = try Scrypt.key(of: passphrase.revealed(), salt: salt, cost: cost)
        guard let key = DataKey(moving: &bytes) else {
            throw OpenSSLError(operation: "scrypt", reasons: ["a key of another length"])
        }
        return key
    }

    func opened(with wrappingKey: DataKey) -> DataKey? {
        guard var bytes = try? SealedBox.open(box, key: wrappingKey, associatedData: Array(header.utf8)) else {
            return nil
        }
        return DataKey(moving: &bytes)
    }
}

/// The key in the file `key.wrapped`, encrypted with a passphrase. After unlocking, the kernel's keyring may cache it for
/// the next commands.
///
/// An instance asks for the passphrase only once.
final class PassphraseVault: Vault {
    /// Seconds that a key is cached for after the user typed the passphrase: a working day.
    static let defaultLifetime: Int64 = 8 * 3600
    private static let tries = 3

    private let directory: ConfigDirectory
    private let host: any VaultHost
    private let random: RandomSource
    private let cache: KernelKeyring
    private let isKey: @Sendable (DataKey) -> Bool
    private let known = Lock<DataKey?>(nil)

    /// - Parameters:
    ///   - store: the store's ID, part of the key's name in the kernel.
    ///   - isKey: whether a key from the kernel's keyring is the store's. A copy of a store has the same ID and may
    ///     have another key.
    init(
        directory: ConfigDirectory, store: String, host: any VaultHost, random: RandomSource = .openSSL,
        isKey: @escaping @Sendable (DataKey) -> Bool = { _ in true }
    ) {
        self.directory = directory
        self.host = host
        self.random = random
        self.isKey = isKey
        cache = KernelKeyring(store: store)
    }

    var kind: VaultKind { .passphrase }

    /// The key from the kernel's keyring, or decrypted with the passphrase. It is cached if the user typed the
    /// passphrase.
    func dataKey() throws -> DataKey? {
        try known.withLock { known in
            if let known { return known }
            if let (key, _) = cached() {
                known = key
                return key
            }
            guard let wrapped = try wrapped() else { return nil }
            let (key, isTyped) = try opened(wrapped)
            known = key
            if isTyped, let end = keepCached(key, for: PassphraseVault.defaultLifetime) {
                host.note(.cached(until: end))
            }
            return key
        }
    }

    func store(_ key: DataKey) throws {
        try known.withLock { known in
            guard let given = try host.vaultPassphrase(.choosing) else { throw VaultError.noPassphrase }
            guard given.acceptsWeak || !given.text.isWeak else { throw VaultError.weakPassphrase }
            if let old = try? self.wrapped(), old.opened(with: try old.wrappingKey(given.text)) != nil {
                host.note(.samePassphrase)
            }
            let (wrapped, wrappingKey) = try WrappedKey.wrapping(
                key, with: given.text, cost: host.passphraseCost, random: random)
            known = nil
            try directory.replaceFile(WrappedKey.name, wrapped.bytes)
            guard let written = try self.wrapped(), written == wrapped, let again = written.opened(with: wrappingKey)
            else {
                throw VaultError.unavailable(.passphrase, .damaged)
            }
            known = again
            // The cached key belongs to the previous file.
            cache.remove()
            if given.isTyped { keepCached(again, for: PassphraseVault.defaultLifetime) }
        }
    }

    func discard() throws {
        try known.withLock { known in
            known = nil
            cache.remove()
            try directory.removeSecret(WrappedKey.name)
        }
    }

    /// Removes the key from the kernel's keyring; does nothing if it is locked already.
    func lock() throws {
        known.withLock { $0 = nil }
        cache.remove()
    }

    /// Verifies the passphrase, even if the key is cached, and caches the key. If the kernel cannot cache it, a note
    /// says so.
    func unlock(for seconds: Int64?) throws {
        try known.withLock { known in
            guard let wrapped = try wrapped() else { throw VaultError.unavailable(.passphrase, .missing) }
            let (key, _) = try opened(wrapped)
            known = key
            keepCached(key, for: seconds ?? PassphraseVault.defaultLifetime)
        }
    }

    func status() -> VaultStatus {
        var refusal: KernelKeyring.Refusal?
        if case .refused(let reason) = cache.find(now: host.clock.now()) { refusal = reason }
        return VaultStatus(kind: kind, state: state(), notCached: refusal)
    }

    func state() -> VaultState {
        if let (_, end) = cached() { return .open(until: end) }
        do { return try wrapped() == nil ? .missing : .locked } catch { return VaultState(error) }
    }

    // MARK: File and kernel keyring

    private func cached() -> (key: DataKey, end: Int64)? {
        guard case .key(let key, let end) = cache.find(now: host.clock.now()), isKey(key) else { return nil }
        return (key, end)
    }

    /// - Returns: when the cached key expires; nil if the kernel cannot cache it, with a note.
    @discardableResult
    private func keepCached(_ key: DataKey, for seconds: Int64) -> Int64? {
        let now = host.clock.now()
        let end = now + min(max(seconds, 1), KernelKeyring.longest)
        guard let refusal = cache.put(key, until: end, now: now) else { return end }
        host.note(.notCached(refusal))
        return nil
    }

    private func wrapped() throws -> WrappedKey? {
        let bytes: [UInt8]?
        do throws(StoreError) {
            bytes = try directory.read(WrappedKey.name, as: .secret, maximumLength: WrappedKey.longest)
        } catch .tooLong {
            throw VaultError.unavailable(.passphrase, .damaged)
        }
        do throws(WrappedKey.Fault) {
            return try bytes.map { bytes throws(WrappedKey.Fault) in try WrappedKey(bytes) }
        } catch {
            switch error {
            case .damaged: throw VaultError.unavailable(.passphrase, .damaged)
            case .tooExpensive: throw VaultError.unavailable(.passphrase, .tooExpensive)
            case .newer: throw StoreError.newer(path: directory.path(of: WrappedKey.name))
            }
        }
    }

    private func opened(_ wrapped: WrappedKey) throws -> (key: DataKey, isTyped: Bool) {
        for left in (0..<PassphraseVault.tries).reversed() {
            guard let given = try host.vaultPassphrase(.opening) else { throw VaultError.locked(.passphrase) }
            if let key = wrapped.opened(with: try wrapped.wrappingKey(given.text)) { return (key, given.isTyped) }
            guard given.isTyped, left > 0 else { break }
            host.note(.wrongPassphrase)
        }
        throw VaultError.wrongPassphrase
    }
}

/// The desktop's keyring as a vault: one item of the Secret Service, whose secret is the data key.
///
/// The item is in the collection with the alias `default`. Collections are never created, and the `session` collection
/// is never used, because it is lost when the service ends.
///
/// The kernel caches the secret for one minute. The next command only asks whether the item still exists and is
/// unlocked, because encrypting the secret takes the service longer than all other steps.
struct KeyringVault: Vault {
    let store: String
    let host: any VaultHost
    var random: RandomSource = .openSSL
    /// Whether a key that the kernel cached belongs to this store.
    var isKey: @Sendable (DataKey) -> Bool = { _ in true }
    var timeout = KeyringTimeout()
    private var cache: KernelKeyring { KernelKeyring(store: store, of: .keyring) }
    /// Seconds that the kernel caches the key.
    private static let remembered: Int64 = 60

    var kind: VaultKind { .keyring }

    private var attributes: [String: String] {
        ["application": "authctl", "store": store, "purpose": "data-key", "version": "1"]
    }

    func dataKey() throws -> DataKey? {
        let now = host.clock.now()
        var known: DataKey?
        if case .key(let key, _) = cache.find(now: now), isKey(key) { known = key }
        return try withService(needsSecret: known == nil) { service in
            if let known, try !service.search(attributes).unlocked.isEmpty { return known }
            guard let item = try openItem(&service) else { return nil }
            var secret = try service.secret(of: item)
            defer { secret.wipe() }
            guard let key = DataKey(moving: &secret) else { throw VaultError.unavailable(.keyring, .damaged) }
            // If the kernel does not cache the key, the next command requests it from the service.
            _ = cache.put(key, until: now + Self.remembered, now: now)
            return key
        }
    }

    func store(_ key: DataKey) throws {
        cache.remove()
        try withService(needsSecret: true) { service in
            let collection = try openCollection(&service)
            let before = try service.search(attributes)
            let (item, prompt) = try service.createItem(
                in: collection, label: "authctl (\(store))", attributes: attributes, secret: key.bytes)
            try settle(prompt, &service)
            // Deletes the store's item in a collection that was the default before.
            for old in before.unlocked where item != .none && old != item && old.parent != collection {
                try settle(try service.delete(old), &service)
            }
        }
    }

    func discard() throws {
        cache.remove()
        try withService { service in
            var deleted: Set<BusPath> = []
            while let item = try openItem(&service) {
                guard deleted.insert(item).inserted else {
                    throw VaultError.unavailable(
                        .keyring, .refused(ServerText("the item is still there after it was deleted")))
                }
                try settle(try service.delete(item), &service)
            }
        }
    }

    func unlock(for seconds: Int64?) throws {
        guard seconds == nil else { throw VaultError.noTimeLimit(.keyring) }
        try withService { service in
            guard try openItem(&service) != nil else { throw VaultError.unavailable(.keyring, .missing) }
        }
    }

    func lock() throws {
        cache.remove()
        try withService { service in
            let found = try service.search(attributes)
            var collections = Set(found.unlocked.map(\.parent))
            if found.unlocked.isEmpty, found.locked.isEmpty, let collection = try service.defaultCollection() {
                collections.insert(collection)
            }
            guard !collections.isEmpty else { return }
            try settle(try service.lock(Array(collections)), &service)
        }
    }

    func status() -> VaultStatus {
        var isPlain = false
        let state: VaultState
        do {
            state = try withService { service in
                let found = try service.search(attributes)
                isPlain = try service.agreedSession().cipher == nil
                if !found.unlocked.isEmpty { return .open(until: nil) }
                if !found.locked.isEmpty { return .locked }
                return try service.isLocked(try defaultCollection(&service)) ? .locked : .missing
            }
        } catch {
            state = VaultState(error)
        }
        return VaultStatus(kind: kind, state: state, isPlain: isPlain)
    }

    // MARK: The service

    private func withService<R>(needsSecret: Bool = false, _ body: (inout SecretService) throws -> R) throws -> R {
        if let known = timeout.recent { throw known }
        do {
            guard let address = BusAddress.ofSession(host.variable) else {
                throw VaultError.unavailable(.keyring, .noBus)
            }
            var service = try SecretService.begin(at: address, random: random, needsSecret: needsSecret)
            return try body(&service)
        } catch let error as BusError {
            if case .timedOut = error { timeout.recent = VaultError(error) }
            throw VaultError(error)
        } catch is OpenSSLError {
            throw VaultError.unavailable(.keyring, .damaged)
        }
    }

    private func defaultCollection(_ service: inout SecretService) throws -> BusPath {
        guard let collection = try service.defaultCollection() else {
            throw VaultError.unavailable(.keyring, .noCollection)
        }
        return collection
    }

    /// The default collection, unlocked by the user if necessary.
    private func openCollection(_ service: inout SecretService) throws -> BusPath {
        let collection = try defaultCollection(&service)
        guard try service.isLocked(collection) else { return collection }
        try unlock([collection], &service)
        // The service's response is not enough: check that it is unlocked.
        guard try !service.isLocked(collection) else { throw VaultError.locked(.keyring) }
        return collection
    }

    /// The item of this store, unlocked by the user if necessary; nil if there is none.
    private func openItem(_ service: inout SecretService) throws -> BusPath? {
        var found = try service.search(attributes)
        if found.unlocked.isEmpty {
            if found.locked.isEmpty {
                let collection = try defaultCollection(&service)
                guard try service.isLocked(collection) else { return nil }
                // Some services do not list the items of a locked collection.
                try unlock([collection], &service)
            } else {
                try unlock(found.locked, &service)
            }
            found = try service.search(attributes)
            if found.unlocked.isEmpty, !found.locked.isEmpty { throw VaultError.locked(.keyring) }
        }
        guard found.unlocked.count > 1 else { return found.unlocked.first }
        let collection = try service.defaultCollection()
        return found.unlocked.first { $0.parent == collection } ?? found.unlocked.first
    }

    // MARK: Prompts

    private func unlock(_ objects: [BusPath], _ service: inout SecretService) throws {
        // The request may already open a prompt.
        guard host.promptTimeout != nil else { throw VaultError.locked(.keyring) }
        try settle(try service.unlock(objects), &service)
    }

    private func settle(_ prompt: BusPath, _ service: inout SecretService) throws {
        guard prompt != .none else { return }
        guard let promptTimeout = host.promptTimeout else { throw VaultError.locked(.keyring) }
        host.note(.waitingForUnlock(seconds: promptTimeout))
        try service.complete(prompt, timeout: promptTimeout)
    }
}

/// A keyring that did not respond is not asked again for a second: a command would wait for it several times.
final class KeyringTimeout: Sendable {
    private let last = Lock<(error: VaultError, end: Deadline)?>(nil)

    var recent: VaultError? {
        get { last.withLock { last in last.flatMap { $0.end.left == nil ? nil : $0.error } } }
        set { last.withLock { last in last = newValue.map { ($0, Deadline(after: 1)) } } }
    }
}

extension VaultError {
    init(_ error: BusError) {
        switch error {
        case .noLibrary: self = .unavailable(.keyring, .noLibrary)
        case .noBus: self = .unavailable(.keyring, .noBus)
        case .timedOut(let seconds): self = .unavailable(.keyring, .timeout(seconds: seconds))
        case .lost: self = .unavailable(.keyring, .noService)
        case .malformed: self = .unavailable(.keyring, .damaged)
        case .refused("org.freedesktop.Secret.Error.IsLocked", _): self = .locked(.keyring)
        case .refused("org.freedesktop.Secret.Error.NoSuchObject", _): self = .unavailable(.keyring, .missing)
        case .refused(let name, let text):
            let isAbsent =
                ["ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected"].contains {
                    name == "org.freedesktop.DBus.Error." + $0
                } || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
            self = .unavailable(.keyring, isAbsent ? .noService : .refused(ServerText(text.isEmpty ? name : text)))
        }
    }
}

/// A conversation with the Secret Service of this session (Secret Storage API 0.2): one connection, one session on it.
///
/// Each call has a limit of time. Whoever meets it drops the conversation, so that no answer can come late.
struct SecretService: ~Copyable {
    static let name = "org.freedesktop.secrets"
    static let path = BusPath("/org/freedesktop/secrets")
    /// Seconds that a call may take, the start of the service included.
    static let limit = 3.0

    var bus: BusConnection
    private let random: RandomSource
    private var session: Session
    /// Whether an answer of a service that did not know this client yet came already.
    private var wasStranger = false

    /// The session: asked for at once, so that the service reckons while something else is asked.
    private enum Session: ~Copyable {
        case asked(UInt64, SecretServiceKeyPair)
        /// With the other side's public key, from which the cipher is reckoned when it is needed.
        case answered(BusPath, SecretServiceKeyPair, [UInt8])
        case agreed(SecretSession)
        case none
    }

    /// What lies in the collections that are open, and what in those that are locked.
    struct Found: Sendable, Equatable {
        var unlocked: [BusPath]
        var locked: [BusPath]
    }

    private init(_ bus: consuming BusConnection, _ random: RandomSource) {
        self.bus = bus
        self.random = random
        session = .none
    }

    /// Begins a conversation. What it waits for is what is asked first; a bus that stands still keeps nobody here.
    /// - Parameters:
    ///   - address: of the bus.
    ///   - isSecretWanted: the service reckons for a secret's session from now on, and OpenSSL gets ready meanwhile.
    /// - Throws: `BusError`, `OpenSSLError`.
    static func begin(at address: String, random: RandomSource, isSecretWanted: Bool) throws -> SecretService {
        var service = SecretService(try BusConnection.open(address), random)
        guard isSecretWanted else { return service }
        try service.askForSession()
        try service.bus.flush(within: Deadline(after: 0.02))
        try SecretServiceCipher.prepare()
        return service
    }

    private mutating func askForSession() throws {
        let pair = try SecretServiceKeyPair(random: .kernel)
        let key = pair.publicKey
        let asked = try bus.send("OpenSession", of: "org.freedesktop.Secret.Service", at: Self.path, to: Self.name) {
            call throws(BusError) in
            try call.append(SecretSession.encryption)
            try call.append("v", of: "ay") { () throws(BusError) in try call.append(key) }
        }
        session = .asked(asked, pair)
    }

    // MARK: Calls

    mutating func call(
        _ member: String, of interface: String, at path: BusPath = path, to destination: String = name,
        _ arguments: (BusMessage) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> BusMessage {
        let deadline = Deadline(after: Self.limit)
        let sent = try bus.send(
            member, of: "org.freedesktop.\(interface)", at: path, to: destination, arguments)
        return try bus.answer(to: sent, before: deadline)
    }

    /// Asks once more where the service did not know the client yet. gnome-keyring takes note of a client beside its first
    /// calls, which may overtake that: a session is lost then, and a search is called unknown.
    private mutating func known<R, E: Error>(
        _ ask: (inout SecretService) throws(E) -> R
    ) throws(E) -> R {
        do throws(E) { return try ask(&self) } catch {
            guard !wasStranger, case .refused(let name, _)? = error as? BusError,
                ["org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.Secret.Error.NoSession"].contains(name)
            else { throw error }
            wasStranger = true
            session = .none
            return try ask(&self)
        }
    }

    /// The session's name, for calls that can be on their way before it is agreed on.
    /// - Throws: `BusError`, `OpenSSLError`.
    private mutating func sessionPath() throws -> BusPath {
        switch exchange(&session, with: .none) {
        case .agreed(let agreed):
            session = .agreed(agreed)
            return agreed.path
        case .answered(let path, let pair, let key):
            session = .answered(path, pair, key)
            return path
        case .none:
            try askForSession()
            return try sessionPath()
        case .asked(let sent, let pair):
            guard let (path, key) = try answeredSession(sent) else {
                let plain = try plainSession()
                session = .agreed(plain)
                return plain.path
            }
            session = .answered(path, pair, key)
            return path
        }
    }

    /// The encrypted session and its public key; nil where the service has none.
    private mutating func answeredSession(_ asked: UInt64) throws(BusError) -> (BusPath, [UInt8])? {
        do throws(BusError) {
            let answer = try bus.answer(to: asked, before: Deadline(after: Self.limit))
            let key = try answer.read("v", of: "ay") { () throws(BusError) in try answer.bytes() }
            return (try answer.path(), key)
        } catch {
            guard case .refused(let name, _) = error, SecretSession.isUnknownEncryption(name) else { throw error }
            return nil
        }
    }

    /// The session, agreed on.
    /// - Throws: `BusError`, `OpenSSLError`.
    mutating func agreedSession() throws -> SecretSession {
        _ = try sessionPath()
        switch exchange(&session, with: .none) {
        case .agreed(let agreed):
            session = .agreed(agreed)
            return agreed
        case .answered(let path, let pair, let key):
            let agreed = SecretSession(path: path, cipher: try pair.cipher(with: key), random: random)
            session = .agreed(agreed)
            return agreed
        default: throw BusError.malformed
        }
    }

    private mutating func plainSession() throws(BusError) -> SecretSession {
        let answer = try call("OpenSession", of: "Secret.Service") { call throws(BusError) in
            try call.append("plain")
            try call.append("v", of: "s") { () throws(BusError) in try call.append("") }
        }
        _ = try answer.read("v", of: "s") { () throws(BusError) in try answer.text() }
        return SecretSession(path: try answer.path(), cipher: nil, random: random)
    }

    /// Looks in all collections.
    mutating func search(_ attributes: [String: String]) throws(BusError) -> Found {
        let answer = try known { service throws(BusError) in
            try service.call("SearchItems", of: "Secret.Service") { call throws(BusError) in
                try call.append(attributes)
            }
        }
        return Found(unlocked: try answer.paths(), locked: try answer.paths())
    }

    private func sendGetSecret(of item: BusPath, _ session: BusPath) throws(BusError) -> UInt64 {
        try bus.send("GetSecret", of: "org.freedesktop.Secret.Item", at: item, to: Self.name) { call throws(BusError) in
            try call.append(session)
        }
    }

    /// The collection that new items go to; nil where there is none that lasts.
    mutating func defaultCollection() throws(BusError) -> BusPath? {
        let collection = try collection("default")
        // One in memory, gone with the service.
        guard collection != .none, try collection != self.collection("session") else { return nil }
        return collection
    }

    private mutating func collection(_ alias: String) throws(BusError) -> BusPath {
        try call("ReadAlias", of: "Secret.Service") { call throws(BusError) in try call.append(alias) }.path()
    }

    mutating func isLocked(_ collection: BusPath) throws(BusError) -> Bool {
        let answer = try call("Get", of: "DBus.Properties", at: collection) { call throws(BusError) in
            try call.append("org.freedesktop.Secret.Collection")
            try call.append("Locked")
        }
        return try answer.read("v", of: "b") { () throws(BusError) in try answer.flag() }
    }

    /// The secret of an item, which the caller wipes.
    /// - Throws: `BusError`, `OpenSSLError`.
    mutating func secret(of item: BusPath) throws -> [UInt8] {
        try known { service in
            let asked = try service.sendGetSecret(of: item, try service.sessionPath())
            let deadline = Deadline(after: Self.limit)
            let session = try service.agreedSession()
            return try session.secret(in: try service.bus.answer(to: asked, before: deadline))
        }
    }

    /// Makes an item, in the place of one with the same attributes.
    /// - Returns: the item, or the prompt that must be answered first.
    /// - Throws: `BusError`, `OpenSSLError`.
    mutating func createItem(
        in collection: BusPath, label: String, attributes: [String: String], secret: SecretBytes
    ) throws -> (item: BusPath, prompt: BusPath) {
        let answer = try known { service in
            let session = try service.agreedSession()
            var sealed = try session.sealed(secret)
            defer { sealed.value.wipe() }
            return try service.call("CreateItem", of: "Secret.Collection", at: collection) { call throws(BusError) in
                try call.append("a", of: "{sv}") { () throws(BusError) in
                    try call.append("e", of: "sv") { () throws(BusError) in
                        try call.append("org.freedesktop.Secret.Item.Label")
                        try call.append("v", of: "s") { () throws(BusError) in try call.append(label) }
                    }
                    try call.append("e", of: "sv") { () throws(BusError) in
                        try call.append("org.freedesktop.Secret.Item.Attributes")
                        try call.append("v", of: "a{ss}") { () throws(BusError) in try call.append(attributes) }
                    }
                }
                try session.append(sealed, to: call)
                try call.append(true)
            }
        }
        return (try answer.path(), try answer.path())
    }

    /// - Returns: the prompt that must be answered first.
    mutating func delete(_ item: BusPath) throws(BusError) -> BusPath {
        try call("Delete", of: "Secret.Item", at: item).path()
    }

    /// - Returns: the prompt that must be answered first.
    mutating func unlock(_ objects: [BusPath]) throws(BusError) -> BusPath { try change("Unlock", objects) }

    /// - Returns: the prompt that must be answered first.
    mutating func lock(_ objects: [BusPath]) throws(BusError) -> BusPath { try change("Lock", objects) }

    private mutating func change(_ member: String, _ objects: [BusPath]) throws(BusError) -> BusPath {
        let answer = try call(member, of: "Secret.Service") { call throws(BusError) in try call.append(objects) }
        _ = try answer.paths()
        return try answer.path()
    }
}

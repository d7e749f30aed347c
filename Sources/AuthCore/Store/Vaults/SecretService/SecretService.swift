/// A connection to the desktop's Secret Service (Secret Storage API 0.2), with one session.
///
/// Each call has a time limit. After a timeout the caller drops the connection, so that a late reply is not read.
struct SecretService: ~Copyable {
    static let name = "org.freedesktop.secrets"
    static let path = BusPath("/org/freedesktop/secrets")
    /// Seconds that a call may take, including the start of the service.
    static let limit = 3.0

    var bus: BusConnection
    private let random: RandomSource
    private var session = Session.none
    /// Whether the service has registered this client. gnome-keyring does that while it handles the first calls. Until
    /// then, OpenSession or a property can end the whole service, aliases are empty, and SearchItems is unknown.
    private var isRegistered = false

    /// The encrypted session. It is requested first, so that the service computes while other requests are sent.
    private enum Session: ~Copyable {
        case requested(UInt64, SecretServiceKeyPair)
        case opened(BusPath, SecretServiceKeyPair, [UInt8])
        case agreed(SecretSession)
        case none
    }

    /// The items of the unlocked and the locked collections.
    struct Found: Sendable, Equatable {
        var unlocked: [BusPath]
        var locked: [BusPath]
    }

    static func begin(at address: String, random: RandomSource, needsSecret: Bool) throws -> SecretService {
        var service = SecretService(bus: try BusConnection.open(address), random: random)
        guard needsSecret else { return service }
        let registration = try service.sendRegistration()
        try service.bus.flush(within: Deadline(after: 0.02))
        try SecretServiceCipher.prepare()
        let pair = try SecretServiceKeyPair(random: .kernel)
        try service.completeRegistration(registration)
        try service.requestSession(pair)
        return service
    }

    // MARK: Registration

    /// Sends a call that harms no service. Its result is ignored.
    private func sendRegistration() throws(BusError) -> UInt64 {
        try send("ReadAlias", of: "Secret.Service", with: [.text("default")])
    }

    private mutating func completeRegistration(_ cookie: UInt64) throws(BusError) {
        do throws(BusError) { _ = try bus.reply(to: cookie, before: Deadline(after: Self.limit)) } catch {
            guard case .refused = error else { throw error }
        }
        isRegistered = true
    }

    private mutating func register() throws(BusError) {
        if !isRegistered { try completeRegistration(sendRegistration()) }
    }

    private mutating func requestSession(_ pair: consuming SecretServiceKeyPair) throws(BusError) {
        let key = BusValue.variant("ay", .bytes(pair.publicKey))
        let cookie = try send("OpenSession", of: "Secret.Service", with: [.text(SecretSession.encryption), key])
        session = .requested(cookie, pair)
    }

    // MARK: Calls

    /// Sends a call without waiting for its reply.
    /// - Parameter interface: without `org.freedesktop.`, which all of them begin with.
    func send(
        _ member: String, of interface: String, at path: BusPath = path, to destination: String = name,
        with arguments: [BusValue]
    ) throws(BusError) -> UInt64 {
        try bus.send(member, of: "org.freedesktop.\(interface)", at: path, to: destination, with: arguments)
    }

    mutating func call(
        _ member: String, of interface: String, at path: BusPath = path, to destination: String = name,
        registers: Bool = true, with arguments: [BusValue] = []
    ) throws(BusError) -> BusMessage {
        if registers, destination == Self.name { try register() }
        let deadline = Deadline(after: Self.limit)
        let cookie = try send(member, of: interface, at: path, to: destination, with: arguments)
        return try bus.reply(to: cookie, before: deadline)
    }

    /// The session's object path, for calls that are sent before the shared key is computed.
    private mutating func sessionPath() throws -> BusPath {
        switch exchange(&session, with: .none) {
        case .agreed(let agreed):
            session = .agreed(agreed)
            return agreed.path
        case .opened(let path, let pair, let key):
            session = .opened(path, pair, key)
            return path
        case .none:
            try register()
            try requestSession(try SecretServiceKeyPair(random: .kernel))
            return try sessionPath()
        case .requested(let sent, let pair):
            guard let (path, key) = try sessionReply(sent) else {
                let plain = try plainSession()
                session = .agreed(plain)
                return plain.path
            }
            session = .opened(path, pair, key)
            return path
        }
    }

    private mutating func sessionReply(_ cookie: UInt64) throws(BusError) -> (BusPath, [UInt8])? {
        do throws(BusError) {
            let reply = try bus.reply(to: cookie, before: Deadline(after: Self.limit))
            let key = try reply.read("v", of: "ay") { () throws(BusError) in try reply.bytes() }
            return (try reply.path(), key)
        } catch {
            guard case .refused(let name, _) = error, SecretSession.isUnknownEncryption(name) else { throw error }
            return nil
        }
    }

    mutating func agreedSession() throws -> SecretSession {
        _ = try sessionPath()
        switch exchange(&session, with: .none) {
        case .agreed(let agreed):
            session = .agreed(agreed)
            return agreed
        case .opened(let path, let pair, let key):
            let agreed = SecretSession(path: path, cipher: try pair.cipher(with: key), random: random)
            session = .agreed(agreed)
            return agreed
        default: throw BusError.malformed
        }
    }

    private mutating func plainSession() throws(BusError) -> SecretSession {
        let reply = try call("OpenSession", of: "Secret.Service", with: [.text("plain"), .variant("s", .text(""))])
        _ = try reply.read("v", of: "s") { () throws(BusError) in try reply.text() }
        return SecretSession(path: try reply.path(), cipher: nil, random: random)
    }

    mutating func search(_ attributes: [String: String]) throws(BusError) -> Found {
        let reply: BusMessage
        do throws(BusError) { reply = try sentSearch(attributes) } catch {
            guard !isRegistered, case .refused("org.freedesktop.DBus.Error.UnknownMethod", _) = error else {
                throw error
            }
            reply = try sentSearch(attributes)
        }
        isRegistered = true
        return Found(unlocked: try reply.paths(), locked: try reply.paths())
    }

    private mutating func sentSearch(_ attributes: [String: String]) throws(BusError) -> BusMessage {
        try call("SearchItems", of: "Secret.Service", registers: false, with: [.attributes(attributes)])
    }

    mutating func defaultCollection() throws(BusError) -> BusPath? {
        let collection = try collection("default")
        // The session collection exists only in memory, until the service ends.
        guard collection != .none, try collection != self.collection("session") else { return nil }
        return collection
    }

    private mutating func collection(_ alias: String) throws(BusError) -> BusPath {
        try call("ReadAlias", of: "Secret.Service", with: [.text(alias)]).path()
    }

    mutating func isLocked(_ collection: BusPath) throws(BusError) -> Bool {
        let property = [BusValue.text("org.freedesktop.Secret.Collection"), .text("Locked")]
        let reply = try call("Get", of: "DBus.Properties", at: collection, with: property)
        return try reply.read("v", of: "b") { () throws(BusError) in try reply.flag() }
    }

    mutating func secret(of item: BusPath) throws -> [UInt8] {
        let path = try sessionPath()
        let cookie = try send("GetSecret", of: "Secret.Item", at: item, with: [.path(path)])
        let deadline = Deadline(after: Self.limit)
        let session = try agreedSession()
        return try session.secret(in: try bus.reply(to: cookie, before: deadline))
    }

    mutating func createItem(
        in collection: BusPath, label: String, attributes: [String: String], secret: SecretBytes
    ) throws -> (item: BusPath, prompt: BusPath) {
        let session = try agreedSession()
        var sealed = try session.sealed(secret)
        defer { sealed.value.wipe() }
        func property(_ name: String, as type: String, with value: BusValue) -> BusValue {
            .container("e", of: "sv", [.text("org.freedesktop.Secret.Item." + name), .variant(type, value)])
        }
        let properties = [
            property("Label", as: "s", with: .text(label)),
            property("Attributes", as: "a{ss}", with: .attributes(attributes)),
        ]
        // No variable has the secret's bytes longer than the call, so that they can be wiped in place.
        let reply = try call(
            "CreateItem", of: "Secret.Collection", at: collection,
            with: [.container("a", of: "{sv}", properties), session.argument(sealed), .flag(true)])
        return (try reply.path(), try reply.path())
    }

    mutating func delete(_ item: BusPath) throws(BusError) -> BusPath {
        try call("Delete", of: "Secret.Item", at: item).path()
    }

    mutating func unlock(_ objects: [BusPath]) throws(BusError) -> BusPath { try change("Unlock", objects) }

    mutating func lock(_ objects: [BusPath]) throws(BusError) -> BusPath { try change("Lock", objects) }

    private mutating func change(_ member: String, _ objects: [BusPath]) throws(BusError) -> BusPath {
        let reply = try call(member, of: "Secret.Service", with: [.container("a", of: "o", objects.map(BusValue.path))])
        _ = try reply.paths()
        return try reply.path()
    }
}

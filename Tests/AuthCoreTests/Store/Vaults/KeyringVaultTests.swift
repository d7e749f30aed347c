import Glibc
import TestSupport
import Testing

@testable import AuthCore

@Suite struct `The Secret Service keyring` {
    /// A non-interactive host with only environment variables.
    struct VariablesHost: VaultHost {
        let variables: [String: String]
        var promptTimeout: Double?
        var clock: Clock { Clock(now: { 0 }) }
        func variable(_ name: String) -> String? { variables[name] }
        func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
        func note(_ note: VaultNote) {}
    }

    static func address(_ variables: [String: String]) -> String? { BusAddress.ofSession { variables[$0] } }

    @Test func `The bus address comes from DBUS_SESSION_BUS_ADDRESS, then from XDG_RUNTIME_DIR`() {
        #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/b"]) == "unix:path=/a")
        #expect(Self.address(["XDG_RUNTIME_DIR": "/run/user/1000"]) == "unix:path=/run/user/1000/bus")
        #expect(Self.address(["XDG_RUNTIME_DIR": "/a b,c;d=é"]) == "unix:path=/a%20b%2cc%3bd%3d%c3%a9/bus")
        #expect(Self.address(["XDG_RUNTIME_DIR": "relative"]) == nil)
        #expect(Self.address([:]) == nil)
    }

    @Test func `A bus address that would start a bus or use a display is ignored`() {
        for address in ["autolaunch:", "autolaunch:scope=*user", "unixexec:path=/usr/bin/dbus-launch", "launchd:env=A"]
        {
            #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": address, "DISPLAY": ":99"]) == nil)
        }
        #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;unix:abstract=/x"]) == "unix:abstract=/x")
    }

    @Test(arguments: [
        [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"], ["XDG_RUNTIME_DIR": "/nonexistent"],
        ["DBUS_SESSION_BUS_ADDRESS": "unix:"], ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=,port=x"],
        ["DBUS_SESSION_BUS_ADDRESS": "not an address"],
    ])
    func `The keyring is unavailable if no bus listens at the address`(variables: [String: String]) throws {
        let vault = KeyringVault(store: "store", host: VariablesHost(variables: variables))
        #expect(vault.state() == .unavailable(.noBus))
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { _ = try vault.dataKey() }
        var bytes = [UInt8](repeating: 1, count: 32)
        let key = try #require(DataKey(moving: &bytes))
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.store(key) }
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.discard() }
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.lock() }
        #expect(throws: VaultError.noTimeLimit(.keyring)) { try vault.unlock(for: 60) }
    }

    @Test func `D-Bus errors are mapped to different vault errors`() {
        func reason(_ name: String) -> VaultError {
            VaultError(BusError.refused(name: name, text: "as it is"))
        }
        for name in ["ServiceUnknown", "NameHasNoOwner", "Spawn.ChildExited", "Spawn.ServiceNotFound", "NoReply"] {
            #expect(reason("org.freedesktop.DBus.Error." + name) == .unavailable(.keyring, .noService))
        }
        #expect(reason("org.freedesktop.Secret.Error.IsLocked") == .locked(.keyring))
        #expect(reason("org.freedesktop.Secret.Error.NoSuchObject") == .unavailable(.keyring, .missing))
        #expect(
            reason("org.freedesktop.DBus.Error.AccessDenied")
                == .unavailable(.keyring, .refused(ServerText("as it is"))))
        #expect(VaultError(BusError.timedOut(seconds: 3)) == .unavailable(.keyring, .timeout(seconds: 3)))
        #expect(VaultError(BusError.noLibrary) == .unavailable(.keyring, .noLibrary))
    }

    @Test func `A connection that ends, a wrong reply and an error without a text are different vault errors`() {
        #expect(VaultError(BusError.lost(code: 104)) == .unavailable(.keyring, .noService))
        #expect(VaultError(BusError.malformed) == .unavailable(.keyring, .damaged))
        #expect(
            VaultError(BusError.refused(name: "org.example.Error", text: ""))
                == .unavailable(.keyring, .refused(ServerText("org.example.Error"))))
    }

    // MARK: A service that replies otherwise than the specification says

    private func vault(
        promptTimeout: Double? = 5, _ reply: @escaping @Sendable (String, Int) -> BusReply
    ) throws -> (vault: KeyringVault, bus: TestBus) {
        let bus = try TestBus(reply)
        let host = VariablesHost(variables: ["DBUS_SESSION_BUS_ADDRESS": bus.address], promptTimeout: promptTimeout)
        return (KeyringVault(store: "test-\(try RandomSource.openSSL.token(bytes: 16))", host: host), bus)
    }

    private func key() throws -> DataKey {
        var bytes = [UInt8](repeating: 1, count: 32)
        return try #require(DataKey(moving: &bytes))
    }

    private static let session: BusReply = .values([.variant(.bytes([2])), .path("/s/1")])

    @Test(arguments: ["SearchItems", "OpenSession", "GetSecret"])
    func `A reply of other types is reported as damage`(member: String) throws {
        let (vault, bus) = try vault { called, _ in
            if called == member { return .values([.text("other")]) }
            switch called {
            case "SearchItems": return .values([.paths(["/c/a/1"]), .paths([])])
            case "OpenSession": return Self.session
            default: return .values([.path("/c/a")])
            }
        }
        #expect(throws: VaultError.unavailable(.keyring, .damaged)) { try vault.dataKey() }
        withExtendedLifetime(bus) {}
    }

    @Test(
        arguments: [
            [.path("/s/2"), .bytes([]), .bytes([1]), .text("")], [.path("/s/1"), .bytes([]), .bytes([1]), .text("")],
            [.path("/s/1"), .bytes([UInt8](repeating: 0, count: 16)), .bytes([1]), .text("")],
        ] as [[BusValue]])
    func `A secret of another session, or one that does not decrypt, is reported as damage`(secret: [BusValue]) throws {
        let (vault, bus) = try vault { called, _ in
            switch called {
            case "SearchItems": .values([.paths(["/c/a/1"]), .paths([])])
            case "OpenSession": Self.session
            case "GetSecret": .values([.structure(secret)])
            default: .values([.path("/c/a")])
            }
        }
        #expect(throws: VaultError.unavailable(.keyring, .damaged)) { try vault.dataKey() }
        withExtendedLifetime(bus) {}
    }

    @Test func `A connection that ends before the reply is reported as a missing service`() throws {
        for member in ["Hello", "SearchItems", "ReadAlias"] {
            let (vault, bus) = try vault { called, _ in
                if called == member { return .end }
                return called == "OpenSession" ? Self.session : .values([.paths([]), .paths([])])
            }
            if member != "ReadAlias" { #expect(vault.state() == .unavailable(.noService)) }
            #expect(throws: VaultError.unavailable(.keyring, .noService)) { try vault.dataKey() }
            withExtendedLifetime(bus) {}
        }
    }

    @Test func `A refused session and a locked keyring are reported with the service's reason`() throws {
        let (refusing, bus) = try vault { called, _ in
            switch called {
            case "SearchItems": .values([.paths(["/c/a/1"]), .paths([])])
            case "OpenSession": .error("org.freedesktop.DBus.Error.AccessDenied")
            default: .values([.path("/c/a")])
            }
        }
        let refused = VaultError.unavailable(.keyring, .refused(ServerText("org.freedesktop.DBus.Error.AccessDenied")))
        #expect(throws: refused) { try refusing.dataKey() }
        let isLocked = BusReply.error("org.freedesktop.Secret.Error.IsLocked")
        let (locked, other) = try vault { called, _ in called == "Hello" ? .values([]) : isLocked }
        #expect(locked.state() == .locked)
        // The vault treats a bus that refuses `Hello` as missing.
        let (none, third) = try vault { _, _ in isLocked }
        #expect(none.state() == .unavailable(.noBus))
        withExtendedLifetime((bus, other, third)) {}
    }

    @Test func `A collection that is still locked after Unlock is locked`() throws {
        let (vault, bus) = try vault { called, count in
            switch called {
            case "ReadAlias": .values([.path(count == 2 ? "/" : "/c/default")])
            case "OpenSession": Self.session
            case "Get": .values([.variant(.flag(true))])
            case "Unlock": .values([.paths([]), .path("/")])
            default: .values([.paths([]), .paths([])])
            }
        }
        #expect(throws: VaultError.locked(.keyring)) { try vault.store(try key()) }
        withExtendedLifetime(bus) {}
    }

    @Test func `A keyring without the item cannot be unlocked, and locking it locks the default collection`() throws {
        let (vault, bus) = try vault { called, count in
            switch called {
            case "ReadAlias": .values([.path(count % 2 == 0 ? "/c/default" : "/")])
            case "Get": .values([.variant(.flag(false))])
            case "Lock": .values([.paths(["/c/default"]), .path("/")])
            default: .values([.paths([]), .paths([])])
            }
        }
        #expect(throws: VaultError.unavailable(.keyring, .missing)) { try vault.unlock(for: nil) }
        try vault.lock()
        #expect(bus.count(of: "Lock") == 1)
    }

    @Test func `Storing the key removes the store's items in other collections`() throws {
        let (vault, bus) = try vault { called, count in
            switch called {
            case "ReadAlias": .values([.path(count == 2 ? "/" : "/c/default")])
            case "OpenSession": Self.session
            case "Get": .values([.variant(.flag(false))])
            case "SearchItems": .values([.paths(["/c/other/1", "/c/default/1"]), .paths([])])
            case "CreateItem": .values([.path("/c/default/2"), .path("/")])
            default: .values([.path("/")])
            }
        }
        try vault.store(try key())
        #expect(bus.count(of: "CreateItem") == 1 && bus.count(of: "Delete") == 1)
    }

    @Test func `Of two items, neither of which is in the default collection, the first is used`() throws {
        let (vault, bus) = try vault { called, count in
            switch called {
            case "SearchItems" where count > 0: .values([.paths([]), .paths([])])
            case "SearchItems": .values([.paths(["/c/a/1", "/c/b/1"]), .paths([])])
            case "ReadAlias": .values([.path(count % 2 == 0 ? "/c/default" : "/")])
            case "Get": .values([.variant(.flag(false))])
            default: .values([.path("/")])
            }
        }
        try vault.discard()
        #expect(bus.paths(of: "Delete") == ["/c/a/1"])
    }

    @Test(arguments: [true, false])
    func `A prompt that fails, or ends without a result, unlocks nothing`(fails: Bool) throws {
        let (vault, bus) = try vault { called, _ in
            switch called {
            case "SearchItems": .values([.paths([]), .paths(["/c/a/1"])])
            case "Unlock": .values([.paths([]), .path("/p/1")])
            case "Prompt" where fails: .error("org.example.NoDisplay")
            case "Prompt": .signal("Completed", "org.freedesktop.Secret.Prompt", "/p/1")
            default: .values([])
            }
        }
        let refused = VaultError.unavailable(.keyring, .refused(ServerText("org.example.NoDisplay")))
        #expect(throws: fails ? refused : .unavailable(.keyring, .damaged)) { try vault.unlock(for: nil) }
        withExtendedLifetime(bus) {}
    }
}

/// A value of a message (D-Bus Specification, "Type System").
enum BusValue: Sendable {
    case text(String)
    case path(String)
    case paths([String])
    case bytes([UInt8])
    case flag(Bool)
    indirect case variant(BusValue)
    case structure([BusValue])

    var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .paths: "ao"
        case .bytes: "ay"
        case .flag: "b"
        case .variant: "v"
        case .structure(let values): "(" + values.map(\.signature).joined() + ")"
        }
    }

    func write(to bytes: inout [UInt8]) {
        func align(_ length: Int) { while bytes.count % length != 0 { bytes.append(0) } }
        func number(_ number: Int) {
            align(4)
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        switch self {
        case .text(let text), .path(let text):
            number(text.utf8.count)
            bytes += Array(text.utf8) + [0]
        case .paths(let paths):
            var content: [UInt8] = []
            for path in paths { BusValue.path(path).write(to: &content) }
            number(content.count)
            bytes += content
        case .bytes(let content):
            number(content.count)
            bytes += content
        case .flag(let flag): number(flag ? 1 : 0)
        case .variant(let value):
            bytes += [UInt8(value.signature.utf8.count)] + Array(value.signature.utf8) + [0]
            value.write(to: &bytes)
        case .structure(let values):
            align(8)
            for value in values { value.write(to: &bytes) }
        }
    }
}

enum BusReply: Sendable {
    case values([BusValue])
    case error(String)
    case signal(_ member: String, _ interface: String, _ path: String)
    /// Closes the connection.
    case end
}

/// A bus with a Secret Service whose replies a test chooses.
final class TestBus: Sendable {
    private struct Call { var (serial, member, path) = (UInt32(0), "", "") }

    private let folder: TemporaryFolder
    private let listening: Int32
    private let calls = Lock<[(member: String, path: String)]>([])
    private let reply: @Sendable (String, Int) -> BusReply
    var address: String { "unix:path=\(folder.path)/bus" }

    /// - Parameter reply: returns the reply to a method. `count` is the number of earlier calls on the connection.
    init(_ reply: @escaping @Sendable (_ member: String, _ count: Int) -> BusReply) throws {
        self.reply = reply
        folder = try TemporaryFolder()
        listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder.path)/bus".utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, length) }
        }
        try #require(bound == 0 && listen(listening, 8) == 0)
        let descriptor = listening
        let isRunning = NewThread.start { [weak self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                self?.serve(connection)
                close(connection)
            }
            close(descriptor)
        }
        try #require(isRunning)
    }

    // The accepting thread closes the socket, so that no other socket gets its descriptor before.
    deinit { shutdown(listening, Int32(SHUT_RDWR)) }

    func paths(of member: String) -> [String] { calls.withLock { $0.filter { $0.member == member }.map(\.path) } }
    func count(of member: String) -> Int { paths(of: member).count }

    private func serve(_ connection: Int32) {
        var input: [UInt8] = []
        func take(_ count: Int) -> [UInt8]? {
            while input.count < count {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let read = recv(connection, &buffer, buffer.count, 0)
                guard read > 0 else { return nil }
                input += buffer[..<read]
            }
            defer { input.removeFirst(count) }
            return Array(input.prefix(count))
        }
        func send(_ bytes: [UInt8]) { _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
        var greeting = ""
        while !greeting.hasSuffix("BEGIN\r\n") {
            guard let byte = take(1) else { return }
            greeting.unicodeScalars.append(Unicode.Scalar(byte[0]))
        }
        send(
            Array(
                ((greeting.contains("DATA") ? "DATA\r\n" : "") + "OK 0123456789abcdef0123456789abcdef\r\n"
                    + (greeting.contains("NEGOTIATE_UNIX_FD") ? "AGREE_UNIX_FD\r\n" : "")).utf8))
        var counts: [String: Int] = [:]
        var serial = 0
        while let call = TestBus.call(take) {
            calls.withLock { $0.append((call.member, call.path)) }
            let count = counts[call.member, default: 0]
            counts[call.member] = count + 1
            var reply = reply(call.member, count)
            if call.member == "Hello", case .values = reply { reply = .values([.text(":1.1")]) }
            if call.member == "AddMatch" { reply = .values([]) }
            serial += 1
            guard let message = TestBus.message(reply, to: Int(call.serial), serial) else { return }
            send(message)
        }
    }

    private static func call(_ take: (Int) -> [UInt8]?) -> Call? {
        func number(_ bytes: [UInt8], _ index: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
        }
        guard let start = take(16) else { return nil }
        let length = number(start, 12)
        guard let fields = take((length + 7) / 8 * 8), take(number(start, 4)) != nil else { return nil }
        var call = Call()
        call.serial = UInt32(number(start, 8))
        var index = 0
        while index < length {
            index = (index + 7) / 8 * 8
            let (code, type) = (fields[index], fields[index + 2])
            index += 4
            if type == UInt8(ascii: "g") {
                index += Int(fields[index]) + 2
            } else if type == UInt8(ascii: "u") {
                index += 4
            } else {
                let count = number(fields, index)
                let text = String(decoding: fields[(index + 4)..<(index + 4 + count)], as: UTF8.self)
                if code == 1 { call.path = text }
                if code == 3 { call.member = text }
                index += 4 + count + 1
            }
        }
        return call
    }

    private static func message(_ reply: BusReply, to call: Int, _ serial: Int) -> [UInt8]? {
        func number(_ number: Int) -> [UInt8] {
            stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        var (type, body, fields) = (UInt8(2), [UInt8](), [UInt8]())
        func field(_ code: UInt8, _ signature: String, _ value: [UInt8]) {
            while fields.count % 8 != 0 { fields.append(0) }
            fields += [code, 1] + Array(signature.utf8) + [0] + value
        }
        func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) + [0] }
        switch reply {
        case .end: return nil
        case .values(let values):
            field(5, "u", number(call))
            let signature = values.map(\.signature).joined()
            if !values.isEmpty { field(8, "g", [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]) }
            for value in values { value.write(to: &body) }
        case .error(let name):
            type = 3
            field(5, "u", number(call))
            field(4, "s", text(name))
        case .signal(let member, let interface, let path):
            type = 4
            field(1, "o", text(path))
            field(2, "s", text(interface))
            field(3, "s", text(member))
        }
        let length = fields.count
        while fields.count % 8 != 0 { fields.append(0) }
        return [UInt8(ascii: "l"), type, 1, 1] + number(body.count) + number(serial) + number(length) + fields + body
    }
}

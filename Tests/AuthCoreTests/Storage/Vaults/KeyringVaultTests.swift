import Testing

@testable import AuthCore

@Suite struct `The keyring` {
    /// A non-interactive host with these environment variables.
    struct Machine: VaultHost {
        let variables: [String: String]
        var clock: Clock { Clock(now: { 0 }) }
        var patience: Double? { nil }
        func variable(_ name: String) -> String? { variables[name] }
        func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
        func note(_ note: VaultNote) {}
    }

    static func address(_ variables: [String: String]) -> String? { BusAddress.ofSession { variables[$0] } }

    @Test func `the bus is the session's, or systemd's`() {
        #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/b"]) == "unix:path=/a")
        #expect(Self.address(["XDG_RUNTIME_DIR": "/run/user/1000"]) == "unix:path=/run/user/1000/bus")
        #expect(Self.address(["XDG_RUNTIME_DIR": "/a b,c;d=é"]) == "unix:path=/a%20b%2cc%3bd%3d%c3%a9/bus")
        #expect(Self.address(["XDG_RUNTIME_DIR": "relative"]) == nil)
        #expect(Self.address([:]) == nil)
    }

    @Test func `no bus is started or found through a display`() {
        for address in ["autolaunch:", "autolaunch:scope=*user", "unixexec:path=/usr/bin/dbus-launch", "launchd:env=A"]
        {
            #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": address, "DISPLAY": ":99"]) == nil)
        }
        #expect(Self.address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;unix:abstract=/x"]) == "unix:abstract=/x")
    }

    @Test(arguments: [
        [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"], ["XDG_RUNTIME_DIR": "/nonexistent"],
        ["DBUS_SESSION_BUS_ADDRESS": "unix:"], ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=,port=x"],
        ["DBUS_SESSION_BUS_ADDRESS": "nothing like an address"],
    ])
    func `without a listener the bus is absent, and no other address is tried`(variables: [String: String]) throws {
        let vault = KeyringVault(store: "store", host: Machine(variables: variables))
        #expect(vault.state() == .unavailable(.noBus))
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { _ = try vault.dataKey() }
        var bytes = [UInt8](repeating: 1, count: 32)
        let key = try #require(DataKey(moving: &bytes))
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.keep(key) }
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.discard() }
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.lock() }
        #expect(throws: VaultError.noTimeLimit(.keyring)) { try vault.unlock(for: 60) }
    }

    @Test func `errors of the bus are distinguished`() {
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
}

import Testing

@testable import AuthCore

@Suite struct `The Secret Service keyring` {
    /// A non-interactive host with only environment variables.
    struct VariablesHost: VaultHost {
        let variables: [String: String]
        var clock: Clock { Clock(now: { 0 }) }
        var promptTimeout: Double? { nil }
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
        #expect(throws: VaultError.unavailable(.keyring, .noBus)) { try vault.keep(key) }
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
}

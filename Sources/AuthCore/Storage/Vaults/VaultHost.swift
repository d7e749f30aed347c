/// What a vault needs of the machine and of the person: handed in, so that nothing here reads the environment or asks.
package protocol VaultHost: Sendable {
    var clock: Clock { get }
    /// Seconds that a person may take; nil where nobody may be asked.
    var patience: Double? { get }
    func variable(_ name: String) -> String?
    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase?
    func note(_ note: VaultNote)
}

package enum PassphrasePurpose: Sendable, Equatable {
    case opening
    case choosing
}

package struct GivenPassphrase: Sendable {
    package let text: VaultPassphrase
    package let isTyped: Bool
    package let acceptsWeak: Bool

    package init(_ text: VaultPassphrase, isTyped: Bool, acceptsWeak: Bool = false) {
        self.text = text
        self.isTyped = isTyped
        self.acceptsWeak = acceptsWeak
    }
}

extension VaultPassphrase {
    package static var minimumLength: Int { 8 }

    package var isWeak: Bool { revealed().count < Self.minimumLength }
}

/// What a person should know of a vault.
package enum VaultNote: Sendable, Equatable {
    /// The desktop asks for the keyring's password, and has this many seconds.
    case waitingForUnlock(seconds: Double)
    case wrongPassphrase
    /// The kernel keeps the key until then (seconds since 1970): no passphrase is asked for before.
    case cached(until: Int64)
    /// The kernel keeps no key here: the passphrase is asked for each time.
    case notCached(KernelKeyring.Refusal)
}

/// A machine with nobody at it, nothing in its environment and no clock.
package struct NonInteractiveVaultHost: VaultHost {
    package init() {}
    package var clock: Clock { Clock(now: { 0 }) }
    package var patience: Double? { nil }
    package func variable(_ name: String) -> String? { nil }
    package func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
    package func note(_ note: VaultNote) {}
}

/// Another host, where nobody is asked or told anything.
struct SilentHost: VaultHost {
    let other: any VaultHost
    var clock: Clock { other.clock }
    var patience: Double? { nil }
    func variable(_ name: String) -> String? { other.variable(name) }
    func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
    func note(_ note: VaultNote) {}
}

/// The clock, environment and prompts for a vault. Passed in, so that no vault reads the environment or asks the user
/// directly.
package protocol VaultHost: Sendable {
    var clock: Clock { get }
    /// Seconds to wait for the user; nil if the run is non-interactive.
    var promptTimeout: Double? { get }
    /// The cost of deriving a key from a passphrase.
    var passphraseCost: ScryptCost { get }
    func variable(_ name: String) -> String?
    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase?
    func note(_ note: VaultNote)
}

extension VaultHost {
    package var passphraseCost: ScryptCost { .wrapping }
}

package enum PassphrasePurpose: Sendable, Equatable { case opening, choosing }

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

/// A warning about a vault.
package enum VaultNote: Sendable, Equatable {
    /// The desktop prompts for the keyring's password, for at most this many seconds.
    case waitingForUnlock(seconds: Double)
    case wrongPassphrase
    /// The new passphrase is the previous one, for example because the same file has been read again.
    case samePassphrase
    /// The kernel caches the key until this time (seconds since 1970), so no passphrase is requested.
    case cached(until: Int64)
    /// The kernel does not cache the key, so the passphrase is requested each time.
    case notCached(KernelKeyring.Refusal)
}

/// A host that never asks the user and prints nothing.
struct SilentHost: VaultHost {
    let other: any VaultHost
    var clock: Clock { other.clock }
    var promptTimeout: Double? { nil }
    func variable(_ name: String) -> String? { other.variable(name) }
    func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
    func note(_ note: VaultNote) {}
}

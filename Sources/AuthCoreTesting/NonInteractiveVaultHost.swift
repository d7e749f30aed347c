package import AuthCore

/// A host without a user, an environment or a clock.
package struct NonInteractiveVaultHost: VaultHost {
    package init() {}
    package var clock: Clock { Clock(now: { 0 }) }
    package var promptTimeout: Double? { nil }
    package func variable(_ name: String) -> String? { nil }
    package func vaultPassphrase(_ purpose: PassphrasePurpose) -> GivenPassphrase? { nil }
    package func note(_ note: VaultNote) {}
}

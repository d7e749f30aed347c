import Synchronization

/// A conversation with the Secret Service that was begun before it was known that it is needed: so the service, which reckons for
/// two milliseconds, and this process work at the same time. It is had once.
///
/// - Note: `@unchecked Sendable` holds because the conversation is only taken, by the one who has set the flag.
final class KeyringAhead: @unchecked Sendable {
    private let isTaken = Mutex(false)
    private var service: SecretService?

    /// Nil where there is nobody to speak to: whoever needs the keyring finds out why.
    /// - Parameter attributes: of what will be looked for, as far as they are known.
    init?(_ host: any VaultHost, expecting attributes: [String: String]) {
        guard let address = BusAddress.ofSession(host.variable) else { return nil }
        do {
            service = try SecretService.begin(at: address, random: .openSSL, expecting: attributes)
        } catch { return nil }
    }

    /// The conversation, for the first who asks.
    func take() -> SecretService? {
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        return isFirst ? service.take() : nil
    }
}

/// A warning about accounts in a remote directory.
package enum DirectoryNote: Sendable, Equatable {
    case emulator(String)
    case notRevoked(provider: String, because: Reason)
    case notSeen
    /// The keys to verify the ID token are unavailable, so the session is stored without it.
    case keysUnavailable
    case merged([String])

    package enum Reason: Sendable, Equatable {
        case refused(code: String)
        case notEmulated
        case noToken
    }
}

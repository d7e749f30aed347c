/// A warning about accounts in a remote directory.
package enum DirectoryNote: Sendable, Equatable {
    case emulator(String)
    case notRevoked(provider: String, because: Reason)
    case notSeen
    /// A session is stored without its ID token, whose keys cannot be had now.
    case keysUnavailable
    case merged([String])

    package enum Reason: Sendable, Equatable {
        case refused(code: String)
        case notEmulated
        case noToken
    }
}

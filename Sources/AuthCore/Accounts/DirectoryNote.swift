/// What a person should know of accounts that live elsewhere.
package enum DirectoryNote: Sendable, Equatable {
    /// They are an emulator's, whose tokens nobody signs.
    case emulator(String)
    /// A provider was not told that the account is gone.
    case notRevoked(provider: String, because: Reason)
    /// A change is done, but how the account looks now could not be read.
    case notSeen
    /// A session is kept without its ID token, whose keys cannot be had now.
    case keysUnavailable
    /// The project took providers off an account: another one vouches for its address.
    case merged([String])

    package enum Reason: Sendable, Equatable {
        case refused(code: String)
        case notEmulated
        case noToken
    }
}

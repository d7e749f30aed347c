import AuthCore

/// Wrong use that only the command could see.
struct UsageProblem: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

/// A setting outside `config.yaml` that cannot be used.
struct ConfigurationProblem: Error {
    let text: String
    let hint: Hint?
    /// There is nothing yet that could be wrong.
    var isNothingConfigured = false

    init(_ text: String, hint: Hint?) {
        self.text = text
        self.hint = hint
    }
}

/// A file or standard input that was named and cannot be read.
struct InputProblem: Error {
    let what: String
    let reason: String
}

/// No provider's entry is for a host.
struct HostUnknown: Error {
    let host: String
    let provider: String?
    /// The provider that the host belongs to; nil if none is known.
    var owner: String?
}

/// Why another tool could not be set up.
struct ToolProblem: Error {
    let text: String
    let hint: Hint?

    init(_ text: String, hint: Hint? = nil) {
        self.text = text
        self.hint = hint
    }
}

/// Signed out here, but the provider did not confirm.
struct RevocationFailed: Error {
    let providers: [String]
    /// The tokens are kept for another try.
    var isKept = false
    var isRetried = false
    /// None was asked: their entries name other clients now than those whose tokens these are.
    var isOtherClients = false
}

/// The provider was not even asked to revoke: this client has nothing to prove itself with.
struct NothingRevoked: Error {
    let provider: String
    /// The tokens are kept for another try.
    var isKept = false
    var isRetried = false
    let error: any UnusableClientCredential
}

/// Nothing was verified, which is no success.
struct NothingToVerify: Error {
    /// Where a token was looked for.
    let source: String
}

/// An entry is there, and a new one would silently lose settings of it.
struct SettingsDropped: Error {
    let provider: String
    /// By the names that `config.yaml` has.
    let settings: [String]
}

/// An entry that no command changes: it is in a file of an organization's.
struct OrganizationsEntry: Error {
    let provider: String
    let place: Organization.Place
}

/// A session was asked for, of a provider that has no entry here.
struct NotConfigured: Error {
    let provider: String
}

/// A provider was set up, but nobody is signed in with it yet.
struct SignInAfterSetup: Error {
    let provider: String
    /// How to sign in with what was set up.
    let again: ShellCommand
    let error: any Error
}

/// A token was not traded (RFC 8693).
struct ExchangeFailed: Error {
    /// Where it was to be.
    let provider: String
    /// What was asked for.
    let audiences: [String]
    let resource: String?
    let error: any Error

    /// Another try would be refused as this one was.
    var isFinal: Bool {
        if case OAuthError.refused = error { return true }
        return error is BoundToken
    }
}

/// An identity's email is that of the account that is signed in already.
struct ConflictAtHome: Error {
    let conflict: AccountConflict
    let pendingID: String
}

/// A command found nothing, in a profile that is nowhere: its name is likely to be the reason.
struct NothingInProfile: Error {
    let profile: String
    let known: [String]
    let error: any Error
}

/// A profile was chosen that is not there.
struct NoSuchProfile: Error {
    let profile: String
    let known: [String]
}

/// Somebody must read a mail, and nobody is there who could be asked for what is in it.
struct LinkNeeded: Error, Equatable {
    /// What sends it.
    let command: ShellCommand
}

/// Signing out would lose what nobody can come back to, and nobody has said that this is meant.
struct AnonymousLost: Error {
    /// An anonymous account, or how many.
    let what: String
}

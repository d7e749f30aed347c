/// Text that must not be seen: prints as `<redacted>` wherever a value can be printed.
///
/// `revealed()` is the one way to the text, so that every place a secret leaves is found by searching for it.
/// `Kind` keeps an access token from being passed where a refresh token is meant.
public struct Secret<Kind>: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let text: String

    public init(_ text: String) { self.text = text }

    /// The text itself: only for the wire, the sealed store, and the standard output of commands made to print it.
    public func revealed() -> String { text }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }

    public static func == (left: Secret, right: Secret) -> Bool { constantTimeEqual(left.text, right.text) }
}

/// The kinds of `Secret`, named as the standards name them.
public enum SecretKind {
    public enum AccessToken {}
    public enum RefreshToken {}
    public enum IDToken {}
    public enum ClientSecret {}
    public enum AuthorizationCode {}
    public enum CodeVerifier {}
    public enum Nonce {}
    public enum State {}
    public enum Password {}
    public enum DeviceCode {}
    public enum ProjectSessionID {}
    public enum PendingToken {}
    public enum KeyPassphrase {}
    public enum VaultPassphrase {}
    public enum SecretAccessKey {}
    public enum SessionToken {}
    public enum Assertion {}
    public enum CustomToken {}
    public enum ActionCode {}
    public enum BindingKey {}
    public enum OneTimeCode {}
}

/// RFC 6749 section 1.4.
public typealias AccessToken = Secret<SecretKind.AccessToken>
/// RFC 6749 section 1.5.
public typealias RefreshToken = Secret<SecretKind.RefreshToken>
/// An ID token in its compact form, not verified by itself (OpenID Connect Core section 2).
public typealias RawIDToken = Secret<SecretKind.IDToken>
/// RFC 6749 section 2.3.1.
public typealias ClientSecret = Secret<SecretKind.ClientSecret>
/// RFC 6749 section 4.1.2.
public typealias AuthorizationCode = Secret<SecretKind.AuthorizationCode>
/// RFC 7636 section 4.1.
public typealias CodeVerifier = Secret<SecretKind.CodeVerifier>
/// The raw nonce of one sign-in (OpenID Connect Core section 3.1.2.1).
public typealias Nonce = Secret<SecretKind.Nonce>
/// RFC 8628 section 3.2.
public typealias DeviceCode = Secret<SecretKind.DeviceCode>
/// The `sessionId` of a provider's flow that a Firebase project runs (Identity Toolkit API, `accounts:createAuthUri`).
public typealias ProjectSessionID = Secret<SecretKind.ProjectSessionID>
/// A Firebase project's own name for a credential that it has seen (Identity Toolkit API, `pendingToken`).
public typealias PendingToken = Secret<SecretKind.PendingToken>
/// A token that a project's own server made for one of its accounts (Identity Toolkit API, `accounts:signInWithCustomToken`).
public typealias CustomToken = Secret<SecretKind.CustomToken>
/// What a project mails to whoever has an address (Identity Toolkit API, `oobCode`).
public typealias ActionCode = Secret<SecretKind.ActionCode>
/// The private key that a session's tokens are bound to, with its algorithm (RFC 9449 section 2).
public typealias BindingKey = Secret<SecretKind.BindingKey>
/// What an authenticator app shows (RFC 6238).
public typealias OneTimeCode = Secret<SecretKind.OneTimeCode>
/// What a person typed to sign in to the local directory.
public typealias Password = Secret<SecretKind.Password>
/// What an encrypted private key opens with (RFC 5958 section 3).
public typealias KeyPassphrase = Secret<SecretKind.KeyPassphrase>
/// What a store's data key opens with.
public typealias VaultPassphrase = Secret<SecretKind.VaultPassphrase>
/// What AWS credentials sign requests with.
public typealias SecretAccessKey = Secret<SecretKind.SecretAccessKey>
/// What goes with AWS credentials that end.
public typealias SessionToken = Secret<SecretKind.SessionToken>
/// A JWT about the client that somebody else signed (RFC 7521 section 4.2).
public typealias ClientAssertion = Secret<SecretKind.Assertion>
/// RFC 6749 section 4.1.1; ties the response to this process.
public typealias AuthorizationState = Secret<SecretKind.State>

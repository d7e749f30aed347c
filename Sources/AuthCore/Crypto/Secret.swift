/// A value that prints as `<redacted>`.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Secret text that prints as `<redacted>`.
///
/// `revealed()` is the only way to the text, so that a search finds every place where a secret is used. `Kind`
/// distinguishes an access token from a refresh token at compile time.
package struct Secret<Kind>: Sendable, Equatable, Redacted {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// The text itself: only for requests, the encrypted store, and commands whose purpose is to print it.
    package func revealed() -> String { text }

    package static func == (left: Secret, right: Secret) -> Bool { constantTimeEqual(left.text, right.text) }
}

/// The kinds of `Secret`, named as the standards name them.
package enum SecretKind {
    package enum AccessToken {}
    package enum RefreshToken {}
    package enum IDToken {}
    package enum ClientSecret {}
    package enum AuthorizationCode {}
    package enum CodeVerifier {}
    package enum Nonce {}
    package enum State {}
    package enum Password {}
    package enum DeviceCode {}
    package enum ProjectSessionID {}
    package enum PendingToken {}
    package enum KeyPassphrase {}
    package enum VaultPassphrase {}
    package enum SecretAccessKey {}
    package enum SessionToken {}
    package enum Assertion {}
    package enum CustomToken {}
    package enum ActionCode {}
    package enum BindingKey {}
    package enum OneTimeCode {}
    package enum RegistrationToken {}
}

/// RFC 7592 section 3.
typealias RegistrationToken = Secret<SecretKind.RegistrationToken>
/// RFC 6749 section 1.4.
package typealias AccessToken = Secret<SecretKind.AccessToken>
/// RFC 6749 section 1.5.
package typealias RefreshToken = Secret<SecretKind.RefreshToken>
/// A compact ID token that is not verified yet (OpenID Connect Core section 2).
package typealias RawIDToken = Secret<SecretKind.IDToken>
/// RFC 6749 section 2.3.1.
package typealias ClientSecret = Secret<SecretKind.ClientSecret>
/// RFC 6749 section 4.1.2.
package typealias AuthorizationCode = Secret<SecretKind.AuthorizationCode>
/// RFC 7636 section 4.1.
package typealias CodeVerifier = Secret<SecretKind.CodeVerifier>
/// The raw nonce of one sign-in (OpenID Connect Core section 3.1.2.1).
package typealias Nonce = Secret<SecretKind.Nonce>
/// RFC 8628 section 3.2.
package typealias DeviceCode = Secret<SecretKind.DeviceCode>
package typealias ProjectSessionID = Secret<SecretKind.ProjectSessionID>
package typealias PendingToken = Secret<SecretKind.PendingToken>
package typealias CustomToken = Secret<SecretKind.CustomToken>
package typealias ActionCode = Secret<SecretKind.ActionCode>
/// The private key that a session's tokens are bound to, with its algorithm (RFC 9449 section 2).
package typealias BindingKey = Secret<SecretKind.BindingKey>
/// The code of an authenticator app (RFC 6238).
package typealias OneTimeCode = Secret<SecretKind.OneTimeCode>
package typealias Password = Secret<SecretKind.Password>
/// The passphrase of an encrypted private key (RFC 5958 section 3).
package typealias KeyPassphrase = Secret<SecretKind.KeyPassphrase>
package typealias VaultPassphrase = Secret<SecretKind.VaultPassphrase>
package typealias SecretAccessKey = Secret<SecretKind.SecretAccessKey>
package typealias SessionToken = Secret<SecretKind.SessionToken>
/// A client assertion signed by a third party (RFC 7521 section 4.2).
package typealias ClientAssertion = Secret<SecretKind.Assertion>
/// RFC 6749 section 4.1.1; ties the response to this process.
package typealias AuthorizationState = Secret<SecretKind.State>

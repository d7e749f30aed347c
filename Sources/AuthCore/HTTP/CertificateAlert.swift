/// Why a server does not take a client's certificate, by the alert that it ends the handshake with (RFC 8446 section 6.2).
public enum CertificateAlert: String, Sendable, CaseIterable {
    /// It wants one, and got none.
    case required = "certificate required"
    /// It cannot be read, or its key did not sign.
    case bad = "bad certificate"
    /// It is of a kind that is not taken.
    case unsupported = "unsupported certificate"
    /// Its authority has taken it back.
    case revoked = "certificate revoked"
    /// Its time is over.
    case expired = "certificate expired"
    /// Something else is wrong with it.
    case unknown = "certificate unknown"
    /// Its authority is not known there.
    case unknownAuthority = "unknown ca"
    /// It is good, and is let in nowhere.
    case accessDenied = "access denied"

    init?(in message: String) {
        guard message.contains("alert"),
            let found = Self.allCases.first(where: { message.contains("alert \($0.rawValue)") })
        else { return nil }
        self = found
    }
}

/// The directory's own provider, for passwords.
package enum PasswordProvider {
    package static let id = "password"
    static let authority = "local"

    /// The password identity of an address. The address is not verified, because no provider confirmed it.
    static func identity(email: String) -> Identity {
        Identity(key: IdentityKey(providerID: id, authority: authority, federatedID: email), email: email)
    }

    static func grant(now: Int64) -> Grant {
        Grant(
            providerID: id, issuer: authority, clientID: "", tokens: Tokens(tokenOrigin: ""), subject: "",
            authenticatedAt: now, lastProvenAt: now, source: .password)
    }
}

package enum PasswordAttempt: Sendable {
    case unknown
    case account(uid: String, PasswordHash)
    /// Too many failures: seconds to wait.
    case throttled(Int64)
}

/// Failed attempts with one address, whether or not an account has it.
struct PasswordFailures: Sendable, Equatable {
    var count: Int
    /// Seconds since 1970.
    var lastAt: Int64

    static let free = 5
    static let longestWait: Int64 = 900

    /// Seconds until the next attempt is allowed: 0 for the first five attempts, then 1, doubled each time up to 900.
    func wait(at now: Int64) -> Int64 {
        guard count >= PasswordFailures.free else { return 0 }
        let wait = min(PasswordFailures.longestWait, Int64(1) << Int64(min(count - PasswordFailures.free, 16)))
        // If the clock was set back, a future time counts as now, so that users are not locked out.
        return max(0, min(lastAt, now) + wait - now)
    }
}

/// Why an email or a password is rejected.
package enum PasswordError: CodedError, Sendable, Equatable {
    case wrong
    case wrongInProject
    case weak(Weakness)
    /// Seconds to wait.
    case throttled(Int64)
    case invalidEmail(String)

    package var code: ErrorCode {
        switch self {
        case .wrong, .wrongInProject: .wrongPassword
        case .weak: .weakPassword
        case .throttled: .tooManyRequests
        case .invalidEmail: .usage
        }
    }

    package enum Weakness: Sendable, Equatable {
        case tooLong(maximumBytes: Int)
        case tooShort(minimumLength: Int)
        case fewCharacters, hasAddress, sequence, common
    }
}

/// The rules for a new password (NIST SP 800-63B section 5.1.1.2): long, and not among the most common ones.
package enum PasswordPolicy {
    package static let minimumLength = 10
    package static let maximumBytes = 1024

    package static func check(_ password: Password, email: String) throws(PasswordError) {
        let text = password.revealed()
        guard text.utf8.count <= maximumBytes else { throw .weak(.tooLong(maximumBytes: maximumBytes)) }
        guard text.count >= minimumLength else { throw .weak(.tooShort(minimumLength: minimumLength)) }
        let plain = text.lowercased()
        guard Set(plain).count >= 5 else { throw .weak(.fewCharacters) }
        let name = email.lowercased().prefix { $0 != "@" }
        guard plain != email.lowercased(), name.count < 4 || !plain.contains(name) else { throw .weak(.hasAddress) }
        guard !isSequence(plain) else { throw .weak(.sequence) }
        guard !common.contains(where: { plain.hasPrefix($0) && plain.count < $0.count + 4 }) else {
            throw .weak(.common)
        }
    }

    private static let common = [
        "password", "passw0rd", "qwertyuiop", "qwerty123", "letmein", "iloveyou", "administrator", "welcome",
        "changeme", "trustno1", "football", "baseball", "sunshine", "princess", "superman", "1q2w3e4r5t",
    ]

    private static func isSequence(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let steps = zip(bytes, bytes.dropFirst()).map { Int($1) - Int($0) }
        return Set(steps.filter { abs($0) != 9 }).count <= 1
    }

    package static func check(email: String) throws(PasswordError) {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let isText = email.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F...0xA0).contains($0.value) }
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count >= 3, parts[1].contains("."), isText,
            !parts[1].hasPrefix("."), !parts[1].hasSuffix("."), email.utf8.count <= 254
        else { throw .invalidEmail(ServerText.shown(email)) }
    }
}

import AuthCore

struct Settings: Sendable {
    var base: String
    var algorithm: SignatureAlgorithm
    var keyFile: String?
    var clientID: String
    var clientSecret: String?
    var clientKey: PublicKey?
    /// The only algorithm that client assertions may use. Nil allows every algorithm of the client's key.
    var clientAlgorithm: SignatureAlgorithm?
    var certificateHeader: String?
    var mtlsURL: String?
    var clientSubject: String?
    var clientCertificate: String?
    var givesJWTs = false
    var teamID: String?
    var keyID: String?
    var redirectURIs: [String]
    var user: String
    var tenant: String
    var hostedDomain: String?
    var projectID: String
    var faults: Set<Fault>
    var mixUpTarget: HTTPURL?
    var approvesAutomatically: Bool
    /// Seconds.
    var accessTokenLifetime: Int64
    var idTokenLifetime: Int64
    /// Seconds from the sign-in to the end of its refresh tokens; nil if they do not expire.
    var sessionLifetime: Int64?
    /// More members of token responses, which replace others with their names.
    var tokenMembers = JSONObject()
    /// Seconds; nil for the lifetime at the real provider.
    var codeLifetime: Int64?
    var record: Record?
    /// The emails that a provider would send, as one JSON object per line.
    var mailbox: LineFile?
}

/// The emulated user. All claims follow from the name, so that tests can expect them.
struct Person {
    let user: String

    private var seed: UInt64 {
        let digest = (try? HashFunction.sha256.digest(user.utf8)) ?? []
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    var email: String { user.contains("@") ? user : user + "@example.com" }
    var givenName: String {
        let name = user.prefix { $0 != "@" }
        return name.prefix(1).uppercased() + name.dropFirst()
    }
    var name: String { givenName + " Example" }
    var login: String { String(user.prefix { $0 != "@" }) }
    var number: Int64 { Int64(seed % 90_000_000) + 10_000_000 }
    var longNumber: String {
        "1" + String(seed % 1_000_000_000_000_000_000 + 1_000_000_000_000_000_000).dropFirst() + "7"
    }
    /// The subject identifier at providers that use the user name for it, or its digest: `sub` is ASCII, and at most 255
    /// characters (OpenID Connect Core section 2).
    var subject: String {
        user.utf8.count <= 255 && user.isVisibleASCII ? user : hexadecimal
    }
    var hexadecimal: String {
        ((try? HashFunction.sha256.digest(user.utf8)) ?? []).hexadecimal
    }
}

/// A pending device authorization (RFC 8628).
struct Device: Sendable {
    var grant: Grant
    let userCode: String
    var polls = 0
    var isApproved: Bool?

    /// Eight letters without vowels, so that they do not form words (RFC 8628 section 6.1).
    static func newUserCode() throws -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let code = String(try RandomSource.openSSL.bytes(8).map { letters[Int($0) % letters.count] })
        return code.prefix(4) + "-" + code.suffix(4)
    }
}

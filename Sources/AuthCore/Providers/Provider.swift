/// Why a provider's settings cannot be used.
public enum ProviderError: Error, Sendable, Equatable {
    /// Not `oidc.NAME`, and no built-in provider of this version.
    case unknownID(String)
    case notConfigured(String)
    case invalid(setting: String, reason: String)
}

/// One provider as its entry in `config.yaml` and its sealed secret describe it: what to ask for, and how far its word
/// counts. Everything a provider does differently stands here, so that no other room asks which provider it has.
public struct Provider: Sendable {
    public let id: String
    public var issuer: HTTPURL
    public var clientID: String
    /// Where its metadata stands.
    public var discovery: Discovery.Document
    public var authenticationMethod: ClientAuthentication.Method?
    public var scopes: [String]
    public var parameters: [(String, String)]
    /// As it was registered; nil for `http://127.0.0.1:PORT/callback` with any free port.
    public var redirectURI: String?
    /// Its `email_verified` counts.
    public var trustsEmail: Bool
    /// How a nonce given with an ID token obtained elsewhere is compared.
    public var nonceMode: NonceMode
    public var allowsPlainHTTP: Bool
    /// The key for `private_key_jwt`.
    public var privateKeyFile: String?
    public var keyID: String?

    public enum NonceMode: String, Sendable, CaseIterable { case raw, sha256 }

    public static let defaultScopes = ["openid", "profile", "email"]

    public init(id: String, issuer: HTTPURL, clientID: String) {
        self.id = id
        self.issuer = issuer
        self.clientID = clientID
        discovery = .openID
        scopes = Provider.defaultScopes
        parameters = []
        redirectURI = nil
        trustsEmail = false
        nonceMode = .raw
        allowsPlainHTTP = false
    }

    /// Checks a provider ID: `oidc.` and a name of letters, digits, `-`, `_` and `.`.
    /// - Throws: `ProviderError.unknownID`.
    public static func check(id: String) throws(ProviderError) {
        let name = id.dropFirst(5)
        let isName = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F || byte == 0x2E
        }
        guard id.hasPrefix("oidc."), (1...64).contains(name.utf8.count), isName else {
            throw .unknownID(ServerText.escaped(id))
        }
    }

    /// The part of this provider's environment variables between `AUTHCTL_` and the setting's name.
    public static func environmentName(_ id: String) -> String {
        String(
            decoding: id.utf8.map { byte -> UInt8 in
                switch byte {
                case 0x30...0x39, 0x41...0x5A: byte
                case 0x61...0x7A: byte - 0x20
                default: 0x5F
                }
            }, as: UTF8.self)
    }

    /// The scopes of one sign-in: the entry's, `openid`, and what the call adds.
    public func scopes(adding more: [String]) -> [String] {
        Scopes.split((["openid"] + scopes + more).joined(separator: " "))
    }

    /// True when the ID token alone says who this is, so that userinfo need not be asked.
    public func isComplete(_ token: VerifiedIDToken, scopes: [String]) -> Bool {
        let wantsEmail = scopes.contains("email")
        let wantsName = scopes.contains("profile")
        return (!wantsEmail || token.claims["email"] != nil) && (!wantsName || token.claims["name"] != nil)
    }
}

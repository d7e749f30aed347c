import AuthCore
import FoundationEssentials

/// The issuers in this process and in processes that share a directory with it. Each trusts the tokens of the others.
enum SharedIssuers {
    private struct State {
        var keys: [String: JWK] = [:]
        var people: [String: String] = [:]
        var providers: [String: Entry] = [:]
        var directory: String?
    }

    private static let state = Lock(State())

    /// Sets the directory that emulators of several processes share.
    static func share(_ directory: String) {
        state.withLock { $0.directory = directory }
    }

    static func add(_ issuer: String, _ key: JWK) {
        state.withLock { $0.keys[issuer] = key }
        let entry: JSONObject = ["issuer": .string(issuer), "key": .object(key.json)]
        write(JSONValue.object(entry).text, to: "key-\((try? key.thumbprint()) ?? "")")
    }

    /// A provider's URL and its registered client.
    struct Entry: Sendable {
        var base: String
        var clientID: String
        var clientSecret: String?
        var clientKey: String?
        var teamID: String?
        var keyID: String?
    }

    static func add(_ name: String, _ entry: Entry) {
        state.withLock { $0.providers[name] = entry }
        let object: JSONObject = [
            "base": .string(entry.base), "clientID": .string(entry.clientID),
            "clientSecret": JSONValue(entry.clientSecret), "clientKey": JSONValue(entry.clientKey),
            "teamID": JSONValue(entry.teamID), "keyID": JSONValue(entry.keyID),
        ]
        write(JSONValue.object(object).text, to: "provider-\(name)")
    }

    static func provider(_ name: String) -> Entry? {
        if let known = state.withLock({ $0.providers[name] }) { return known }
        guard let directory = state.withLock({ $0.directory }),
            let data = try? Data(contentsOf: URL(filePath: "\(directory)/provider-\(name)")),
            let object = try? StrictJSON.object(Array(data)), let base = object["base"]?.string,
            let clientID = object["clientID"]?.string
        else { return nil }
        return Entry(
            base: base, clientID: clientID, clientSecret: object["clientSecret"]?.string,
            clientKey: object["clientKey"]?.string, teamID: object["teamID"]?.string, keyID: object["keyID"]?.string)
    }

    static func add(_ accessToken: String, of user: String) {
        state.withLock { $0.people[accessToken] = user }
        write(user, to: fileName(accessToken))
    }

    static func user(of accessToken: String) -> String? {
        if let known = state.withLock({ $0.people[accessToken] }) { return known }
        guard let directory = state.withLock({ $0.directory }) else { return nil }
        return (try? Data(contentsOf: URL(filePath: "\(directory)/\(fileName(accessToken))"))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func fileName(_ accessToken: String) -> String {
        "token-\(((try? HashFunction.sha256.digest(accessToken.utf8)) ?? []).hexadecimal)"
    }

    private static func write(_ text: String, to name: String) {
        guard let directory = state.withLock({ $0.directory }) else { return }
        try? Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
    }

    private static var keys: [(issuer: String, key: JWK)] {
        let (own, directory) = state.withLock { ($0.keys.map { ($0.key, $0.value) }, $0.directory) }
        guard let directory, let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            return own
        }
        return own
            + names.filter { $0.hasPrefix("key-") }.compactMap { name in
                guard let data = try? Data(contentsOf: URL(filePath: "\(directory)/\(name)")),
                    let object = try? StrictJSON.object(Array(data)), let issuer = object["issuer"]?.string,
                    let entry = object["key"]?.object,
                    let set = try? JWKSet(Array((["keys": [.object(entry)]] as JSONValue).text.utf8)),
                    let key = set.keys.first
                else { return nil }
                return (issuer, key)
            }
    }

    static func claims(of token: String) -> JSONObject? {
        guard let unverified = try? UnverifiedJWS(token) else { return nil }
        for (_, key) in keys {
            let verifier = JWSVerifier(keys: JWKSet(keys: [key]), algorithms: Set(SignatureAlgorithm.allCases))
            if let verified = try? verifier.verify(unverified) { return try? StrictJSON.object(verified.payload) }
        }
        return nil
    }

    static func subject(of token: String, audience: String, now: Int64) throws -> String {
        func refuse(_ why: String) -> Refusal { Refusal("invalid_grant", "The token \(why).") }
        guard let unverified = try? UnverifiedJWS(token) else { throw refuse("is not a JWT") }
        for (issuer, key) in keys {
            let verifier = JWSVerifier(keys: JWKSet(keys: [key]), algorithms: Set(SignatureAlgorithm.allCases))
            guard let verified = try? verifier.verify(unverified) else { continue }
            do {
                return try IDTokenClaims(
                    verified,
                    expecting: ExpectedIDToken(
                        issuers: .exact(issuer), audience: audience, nonce: .notChecked, now: now)
                ).subject
            } catch { throw refuse("is not valid for this provider: \(error)") }
        }
        throw refuse("is not from a trusted issuer")
    }
}

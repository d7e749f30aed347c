import ArgumentParser
import AuthCore
import FoundationEssentials
import Glibc

final class TokenIssuer {
    let site: Site
    let name: String
    let key: PrivateKey
    let keyID: String

    init(_ site: Site, name: String) throws {
        self.site = site
        self.name = name
        let family = site.settings.algorithm.family
        key = try site.settings.keyFile.map { try TokenIssuer.key(storedAt: $0, family) } ?? .generate(family)
        keyID = try JWK(key: key.publicKey, keyID: nil).thumbprint()
        SharedIssuers.add(name, JWK(key: key.publicKey, keyID: keyID, algorithm: site.settings.algorithm))
    }

    private static func key(storedAt path: String, _ family: SignatureAlgorithm.Family) throws -> PrivateKey {
        if let pem = try? Data(contentsOf: URL(filePath: path)) {
            do { return try PrivateKey(pem: Array(pem)) } catch {
                throw ValidationError("--keys: '\(path)' is not a private key")
            }
        }
        let key = try PrivateKey.generate(family)
        try AtomicFile.replace(path, with: try key.pem(), by: "\(path).\(getpid())", in: AT_FDCWD)
        return key
    }

    func keySet(_ request: Request) -> Reply {
        site.count("jwks")
        if site.has(.keySetError500) { return .json(["error": "server_error"], status: 500) }
        let jwk = JWK(
            key: key.publicKey, keyID: keyID, algorithm: site.has(.rs256IDToken) ? nil : site.settings.algorithm)
        return .json(.object(JWKSet(keys: [jwk]).json), headers: [("Cache-Control", "max-age=3600")])
    }

    func idToken(
        _ grant: Grant, claims own: JSONObject, accessToken: String?, isRefresh: Bool = false, hasAuthTime: Bool = true
    ) throws -> String {
        let time = site.now()
        var claims = JSONObject()
        claims["iss"] = .string(site.has(.wrongIssuer) ? "https://attacker.example" : name)
        claims["aud"] = .string(site.has(.wrongAudience) ? "another-client" : grant.clientID)
        if site.has(.furtherAudiences) { claims["aud"] = [.string(grant.clientID), "998877", "sibling@project"] }
        let issuedAt = site.has(.expiredIDToken) ? time - 7200 : site.has(.futureIDToken) ? time + 7200 : time
        claims["iat"] = JSONValue(issuedAt)
        claims["exp"] = JSONValue(issuedAt + site.settings.idTokenLifetime)
        if hasAuthTime {
            claims["auth_time"] = JSONValue(grant.authenticatedAt - (site.has(.staleAuthTime) ? 3600 : 0))
        }
        if let nonce = grant.nonce, !site.has(.missingNonce), !isRefresh {
            claims["nonce"] = .string(site.has(.wrongNonce) ? String(nonce.reversed()) : nonce)
        }
        if let accessToken {
            let hash = site.settings.algorithm.hash
            let half = try hash.digest(accessToken.utf8).prefix(hash.digestLength / 2)
            claims["at_hash"] = .string(
                Base64URL.encode(site.has(.wrongAccessTokenHash) ? ArraySlice(half.reversed()) : half))
        }
        if site.has(.emptyMembers) { for name in ["azp", "at_hash", "c_hash", "nbf"] { claims[name] = .null } }
        claims.merge(own)
        if site.has(.bareIDToken) { for name in ["name", "email", "email_verified"] { claims[name] = nil } }
        if site.has(.issuerWithoutScheme) { claims["iss"] = .string(name.replacing(/^https?:\/\//, with: "")) }
        site.change(&claims, Fault.change(claims:))
        if site.has(.otherParty) { claims["azp"] = "android-client" }
        if isRefresh, site.has(.refreshWrongSubject) { claims["sub"] = "mallory" }
        if site.has(.algorithmNone) {
            let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
            return header + "." + Base64URL.encode(Array(JSONValue.object(claims).text.utf8)) + "."
        }
        if site.has(.hmacIDToken) {
            let input = [#"{"alg":"HS256"}"#, JSONValue.object(claims).text].map { Base64URL.encode(Array($0.utf8)) }
                .joined(separator: ".")
            let secret = Array((site.settings.clientSecret ?? "").utf8)
            return input + "."
                + Base64URL.encode(try HashFunction.sha256.authenticationCode(of: Array(input.utf8), key: secret))
        }
        let signer = JWSSigner(
            key: key, algorithm: site.has(.rs256IDToken) ? .rs256 : site.settings.algorithm,
            keyID: site.has(.unknownKeyID) ? "unknown" : keyID)
        let token = try signer.sign(claims)
        guard site.has(.badSignature) else { return token }
        let parts = token.split(separator: ".")
        // The signature must still be valid Base64url text.
        return "\(parts[0]).\(parts[1]).\(parts[2].first == "A" ? "B" : "A")\(parts[2].dropFirst())"
    }

}

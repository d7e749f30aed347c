/// A JWS in compact serialization (RFC 7515 section 7.1) whose signature has not been checked.
/// It offers only the issuer that it names, to find the keys, and no claims: many published attacks use a claim before
/// the signature is checked. A type of its own, because the compiler cannot check a flag. `none` and HMAC are not values of
/// `SignatureAlgorithm`, so they cannot be chosen.
package struct UnverifiedJWS: Sendable {
    /// The parameters of the protected header that are used. `jwk`, `jku`, `x5u` and `x5c` are never read.
    /// It is a class, so that tokens with the same header share one object.
    package final class Header: Sendable {
        package let algorithm: SignatureAlgorithm
        package let keyID: String?
        package let type: String?

        fileprivate init(algorithm: SignatureAlgorithm, keyID: String?, type: String?) {
            self.algorithm = algorithm
            self.keyID = keyID
            self.type = type
        }
    }

    package let header: Header
    let payload: [UInt8]
    let signature: [UInt8]
    private let bytes: [UInt8]
    private let signedLength: Int

    var signingInput: ArraySlice<UInt8> { bytes[..<signedLength] }

    var claimedIssuer: String? {
        (try? StrictJSON.object(payload, maximumLength: UnverifiedJWS.maximumLength))?["iss"]?.string
    }

    /// The maximum length of a token in bytes.
    package static let maximumLength = 64 * 1024
    static let maximumHeaderLength = 4 * 1024

    /// Parses a compact JWS. Nothing in it is trusted.
    package init(_ text: String) throws(JOSEError) { try self.init(bytes: Array(text.utf8)) }

    /// The claims of a compact JWS. Its header and its signature are not checked.
    static func claims(of text: String) throws(JOSEError) -> JSONObject {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(String(parts[1])) else { throw .notCompact }
        do { return try StrictJSON.object(bytes) } catch { throw .payload(error) }
    }

    /// A header that was parsed before. The tokens of one signer have the same header.
    struct KnownHeader {
        let encoded: ArraySlice<UInt8>
        let header: Header
    }

    /// - Parameter known: used if the token's header has the same bytes; otherwise replaced by the token's header.
    init(bytes: [UInt8], known: inout KnownHeader?) throws(JOSEError) {
        let dots = try UnverifiedJWS.dots(in: bytes)
        if let known, known.encoded.hasSameBytes(as: bytes[..<dots.0]) {
            header = known.header
        } else {
            header = try UnverifiedJWS.header(encoded: bytes[..<dots.0])
            known = KnownHeader(encoded: bytes[..<dots.0], header: header)
        }
        guard let payload = Base64URL.decode(bytes[(dots.0 + 1)..<dots.1]),
            let signature = Base64URL.decode(bytes[(dots.1 + 1)...])
        else { throw .notCompact }
        self.payload = payload
        self.signature = signature
        self.bytes = bytes
        signedLength = dots.1
    }

    init(bytes: [UInt8]) throws(JOSEError) {
        var unknown: KnownHeader?
        try self.init(bytes: bytes, known: &unknown)
    }

    private static func dots(in bytes: [UInt8]) throws(JOSEError) -> (Int, Int) {
        guard bytes.count <= UnverifiedJWS.maximumLength else { throw .tooLong }
        // Finds the dots without splitting the text, which would allocate memory for thousands of parts
        // (CVE-2025-30204).
        func dot(after index: Int) -> Int? { bytes.firstIndex(of: UInt8(ascii: "."), from: index + 1) }
        guard let first = dot(after: -1), let second = dot(after: first) else { throw .notCompact }
        if let third = dot(after: second) {
            guard let fourth = dot(after: third), dot(after: fourth) == nil else { throw .notCompact }
            throw .encrypted
        }
        guard first <= UnverifiedJWS.maximumHeaderLength * 4 / 3 + 2 else { throw .tooLong }
        return (first, second)
    }

    private static func header(encoded: ArraySlice<UInt8>) throws(JOSEError) -> Header {
        guard let bytes = Base64URL.decode(encoded) else { throw .notCompact }
        let object: JSONObject
        do { object = try StrictJSON.object(bytes, maximumLength: maximumHeaderLength) } catch { throw .header(error) }
        var algorithm: String?
        var keyID: JSONValue?
        var type: JSONValue?
        for member in object.members {
            switch member.name {
            case "alg":
                guard let name = member.value.string else { throw .algorithm(nil) }
                algorithm = name
            case "kid": keyID = member.value
            case "typ": type = member.value
            case "crit", "b64": throw .criticalHeader
            case "zip", "enc": throw .encrypted
            case "cty": throw .type("cty")
            default: break
            }
        }
        guard let algorithm, let known = SignatureAlgorithm(rawValue: algorithm) else { throw .algorithm(algorithm) }
        if let keyID {
            guard let text = keyID.string, !text.isEmpty, text.utf8.count <= 256, !text.utf8.contains(0) else {
                throw .keyIdentifier
            }
        }
        if let type, case nil = type.string { throw .type("not a string") }
        return Header(algorithm: known, keyID: keyID?.string, type: type?.string)
    }
}

/// A JWS whose signature was checked; only `JWSVerifier` makes one.
package struct VerifiedJWS: Sendable {
    package let header: UnverifiedJWS.Header
    package let payload: [UInt8]
    package let keyIssuer: String?

    fileprivate init(_ token: UnverifiedJWS, keyIssuer: String?) {
        header = token.header
        payload = token.payload
        self.keyIssuer = keyIssuer
    }
}

/// Verifies signatures with the keys of a set. It stores OpenSSL's contexts of used keys, so that many tokens are
/// verified faster. One verifier belongs to one task.
package final class JWSVerifier {
    private let keys: JWKSet
    private let algorithms: Set<SignatureAlgorithm>
    private var verifiers: [CacheKey: SignatureVerifier] = [:]
    private var latest: Found?

    private struct CacheKey: Hashable {
        let index: Int
        let algorithm: SignatureAlgorithm
    }

    package init(keys: JWKSet, algorithms: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)) {
        self.keys = keys
        self.algorithms = algorithms
    }

    package func verify(_ token: UnverifiedJWS) throws(JOSEError) -> VerifiedJWS {
        let found = try verifier(for: token.header)
        guard let isValid = try? found.verifier.isValid(token.signature, for: token.signingInput), isValid else {
            throw .signature
        }
        return VerifiedJWS(token, keyIssuer: found.keyIssuer)
    }

    private struct Found {
        let header: UnverifiedJWS.Header
        let verifier: SignatureVerifier
        let keyIssuer: String?
    }

    private func verifier(for header: UnverifiedJWS.Header) throws(JOSEError) -> Found {
        // Tokens with the same header need only one search for the key.
        if let latest, latest.header === header { return latest }
        guard algorithms.contains(header.algorithm) else { throw .algorithm(header.algorithm.rawValue) }
        let cacheKey = CacheKey(index: try keys.index(for: header), algorithm: header.algorithm)
        let verifier: SignatureVerifier
        if let known = verifiers[cacheKey] {
            verifier = known
        } else {
            do {
                verifier = try SignatureVerifier(key: keys.keys[cacheKey.index].key, algorithm: cacheKey.algorithm)
            } catch {
                throw .signature
            }
            verifiers[cacheKey] = verifier
        }
        let found = Found(header: header, verifier: verifier, keyIssuer: keys.keys[cacheKey.index].issuer)
        latest = found
        return found
    }
}

/// Signs tokens: client assertions, and the emulator's ID tokens.
package struct JWSSigner: Sendable {
    private let key: PrivateKey
    private let algorithm: SignatureAlgorithm
    private let keyID: String?

    package init(key: PrivateKey, algorithm: SignatureAlgorithm, keyID: String?) {
        self.key = key
        self.algorithm = algorithm
        self.keyID = keyID
    }

    /// - Parameter publicKey: the public key for the header (`jwk`, RFC 7515 section 4.1.3).
    package func sign(_ claims: JSONObject, type: String = "JWT", key publicKey: JSONObject? = nil) throws -> String {
        var header: JSONObject = ["alg": .string(algorithm.rawValue), "typ": .string(type)]
        if let keyID { header["kid"] = .string(keyID) }
        if let publicKey { header["jwk"] = .object(publicKey) }
        let input = JWSSigner.input(header, claims)
        let signature = try key.signature(over: Array(input.utf8), algorithm: algorithm)
        return input + "." + Base64URL.encode(signature)
    }

    /// The text that is signed (RFC 7515 section 5.1).
    static func input(_ header: JSONObject, _ claims: JSONObject) -> String {
        [header, claims].map { Base64URL.encode(JSONValue.object($0).text.utf8) }.joined(separator: ".")
    }
}

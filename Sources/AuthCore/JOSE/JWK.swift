/// A public key with the parameters of its JWK (RFC 7517).
package struct JWK: Sendable {
    package let key: PublicKey
    package let keyID: String?
    package let algorithm: SignatureAlgorithm?
    package let issuer: String?

    package init(key: PublicKey, keyID: String?, algorithm: SignatureAlgorithm? = nil, issuer: String? = nil) {
        self.key = key
        self.keyID = keyID
        self.algorithm = algorithm
        self.issuer = issuer
    }

    package init?(_ object: JSONObject) throws {
        guard let type = object["kty"]?.string else { throw KeyError.malformed }
        if type == "oct" { return nil }
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] where object[name] != nil {
            throw KeySetError.privateMembers
        }
        if let use = object["use"], use != "sig" { return nil }
        if let operations = object["key_ops"] {
            guard let names = operations.strings, names.contains("verify") else { return nil }
        }
        var algorithm: SignatureAlgorithm?
        if let name = object["alg"] {
            guard let text = name.string, let known = SignatureAlgorithm(rawValue: text) else { return nil }
            algorithm = known
        }
        var keyID: String?
        if let kid = object["kid"] {
            guard let text = kid.string else { throw KeyError.malformed }
            keyID = text
        }
        guard let material = try JWK.material(type, object) else { return nil }
        let key = try PublicKey(material)
        if let algorithm, algorithm.family != key.family { throw KeyError.malformed }
        self.init(key: key, keyID: keyID, algorithm: algorithm, issuer: object["issuer"]?.string)
    }

    private static func material(_ type: String, _ object: JSONObject) throws -> PublicKey.Material? {
        func bytes(_ name: String) throws -> [UInt8] {
            guard let text = object[name]?.string, let bytes = Base64URL.decode(text) else { throw KeyError.malformed }
            return bytes
        }
        switch type {
        case "RSA": return .rsa(modulus: try bytes("n"), exponent: try bytes("e"))
        case "EC":
            guard let curve = object["crv"]?.string.flatMap(EllipticCurve.init(rawValue:)) else { return nil }
            return .ellipticCurve(curve, x: try bytes("x"), y: try bytes("y"))
        case "OKP":
            guard object["crv"] == "Ed25519" else { return nil }
            return .ed25519(try bytes("x"))
        default: return nil
        }
    }

    /// The required members of this key, in the order of RFC 7638 section 3.2.
    var publicMembers: JSONObject {
        let pairs: [(String, String)] =
            switch key.material {
            case .rsa(let modulus, let exponent):
                [("e", Base64URL.encode(exponent)), ("kty", "RSA"), ("n", Base64URL.encode(modulus))]
            case .ellipticCurve(let curve, let x, let y):
                [("crv", curve.rawValue), ("kty", "EC"), ("x", Base64URL.encode(x)), ("y", Base64URL.encode(y))]
            case .ed25519(let x): [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64URL.encode(x))]
            }
        return JSONObject(members: pairs.map { JSONObject.Member(name: $0.0, value: .string($0.1)) })
    }

    /// The SHA-256 thumbprint as base64url (RFC 7638).
    package func thumbprint() throws -> String {
        let text = JSONValue.object(publicMembers).text
        return Base64URL.encode(try HashFunction.sha256.digest(text.utf8))
    }

    package var json: JSONObject {
        var object = publicMembers
        object["use"] = "sig"
        if let keyID { object["kid"] = .string(keyID) }
        if let algorithm { object["alg"] = .string(algorithm.rawValue) }
        if let issuer { object["issuer"] = .string(issuer) }
        return object
    }
}

/// A JWK Set (RFC 7517 section 5), with the keys that this library can use.
package struct JWKSet: Sendable {
    package let keys: [JWK]

    /// The maximum length of a set in bytes.
    package static let maximumLength = 512 * 1024
    static let maximumCount = 100

    package init(keys: [JWK]) { self.keys = keys }

    /// Reads a set. Keys of unknown types are ignored, as RFC 7517 section 5 requires.
    package init(_ bytes: [UInt8]) throws(KeySetError) {
        let object: JSONObject
        do { object = try StrictJSON.object(body: bytes, maximumLength: Self.maximumLength) } catch {
            throw .json(error)
        }
        guard let values = object["keys"]?.array, !values.isEmpty else { throw .noKeys }
        guard values.count <= JWKSet.maximumCount else { throw .tooManyKeys }
        var keys: [JWK] = []
        for value in values {
            guard let entry = value.object else { continue }
            do {
                if let key = try JWK(entry) { keys.append(key) }
            } catch let error as KeySetError {
                throw error
            } catch {
                continue
            }
        }
        // Keys of different types or algorithms may share an ID (RFC 7517 section 4.5).
        var seen: Set<[UInt8]> = []
        for key in keys {
            guard let keyID = key.keyID else { continue }
            let name = "\(key.algorithm?.rawValue ?? key.key.family.name) \(keyID)"
            guard seen.insert(Array(name.utf8)).inserted else { throw .repeatedKeyID(keyID) }
        }
        self.keys = keys
    }

    /// The index of the key for a token's header: by `kid` if present, otherwise the only key that can be used.
    func index(for header: UnverifiedJWS.Header) throws(JOSEError) -> Int {
        var found: Int?
        for (index, key) in keys.enumerated() {
            guard key.key.family == header.algorithm.family else { continue }
            if let only = key.algorithm, !only.synonyms.contains(header.algorithm) { continue }
            if let keyID = header.keyID {
                // A set with one key may omit `kid` (OpenID Connect Core section 10.1).
                guard key.keyID.hasSameBytes(as: keyID) || (key.keyID == nil && keys.count == 1) else { continue }
            }
            guard found == nil else { throw .ambiguousKey }
            found = index
        }
        guard let found else { throw .noKey(kid: header.keyID) }
        return found
    }

    package var json: JSONObject { ["keys": .array(keys.map { .object($0.json) })] }
}

@testable import AuthCore
@testable import authctl

/// All functions that read untrusted bytes.
enum Readers {
    static let all: [Reader] = jose + web + oauth + tools + files

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The first byte, which selects an option, and the other bytes.
    private static func choice(_ bytes: [UInt8]) -> (Int, [UInt8]) { (Int(bytes.first ?? 0), Array(bytes.dropFirst())) }

    private static let now: Int64 = 1_790_000_000
    private static let origin = "https://id.example"

    // MARK: JSON and signed tokens

    private static let jose = [
        Reader(name: "json", longest: 4096) { bytes in
            let value = try StrictJSON.parse(bytes)
            promise(
                try StrictJSON.parse(Array(value.text.utf8)) == value, "written JSON is read back unchanged")
        },
        Reader(name: "base64url", longest: 1024) { bytes in
            guard let decoded = Base64URL.decode(bytes) else { return }
            promise(Base64URL.encode(decoded) == text(bytes), "base64url has only one spelling")
        },
        Reader(name: "jws", longest: 4096) { bytes in
            let token = try UnverifiedJWS(bytes: bytes)
            _ = token.claimedIssuer
            promise(
                (try? JWSVerifier(keys: keys.set).verify(token)) == nil || bytes == Array(keys.token.utf8),
                "only the signed token verifies")
        },
        Reader(name: "jwks", longest: 8192) { bytes in
            let set = try JWKSet(bytes)
            for key in set.keys { _ = try key.thumbprint() }
            let again = try? JWKSet(Array(JSONValue.object(set.json).text.utf8))
            promise(set.keys.isEmpty || again?.keys.count == set.keys.count, "written keys are read back")
        },
        Reader(name: "pem", longest: 4096) { bytes in
            let key = try PrivateKey(pem: bytes)
            promise(try PrivateKey(pem: key.pem()).publicKey.material == key.publicKey.material, "a key is read back")
        },
        Reader(name: "certificate", longest: 4096) { bytes in
            let chain = try CertificateChain(pem: bytes)
            promise(try CertificateChain(pem: chain.pem) == chain, "a written chain is read back unchanged")
        },
        // Claims with a valid signature, which a hostile user of an honest provider can influence.
        Reader(name: "id-token", longest: 4096) { bytes in
            let (rule, claims) = choice(bytes)
            let token = try keys.signed(claims)
            var expected = ExpectedIDToken(
                issuers: .exact(origin), audience: "client",
                nonce: [.none, .raw(Nonce("nonce")), .sha256(Nonce("nonce")), .rawOrAbsent(nil), .notChecked][rule % 5],
                now: now, maximumAge: rule & 8 == 0 ? 600 : nil)
            expected.maximumAuthenticationAge = rule & 16 == 0 ? 0 : nil
            expected.acceptsTextTimes = rule & 32 == 0
            expected.accessToken = AccessToken("access")
            let verified = try IDTokenClaims(token, expecting: expected)
            promise(verified.issuer == origin && !verified.subject.isEmpty, "a token has the issuer and a subject")
            _ = verified.profile
        },
        Reader(name: "access-token", longest: 4096) { bytes in
            let (rule, claims) = choice(bytes)
            let verified = try JWTAccessTokenClaims(
                try keys.signed(claims), issuer: origin, audience: origin + "/api", needsType: rule & 1 == 1, now: now)
            promise(verified.issuer == origin && rule & 1 == 0, "a token has the issuer and the required type")
            promise(verified.claims["nonce"] == nil, "an ID token is not an access token")
        },
    ]

    private enum keys {
        static let pair: (key: PrivateKey, set: JWKSet, token: String)? = {
            guard let key = try? PrivateKey.generate(.ed25519),
                let token = try? JWSSigner(key: key, algorithm: .edDSA, keyID: "k").sign(["sub": "ada"] as JSONObject)
            else { return nil }
            return (key, JWKSet(keys: [JWK(key: key.publicKey, keyID: "k")]), token)
        }()

        static var set: JWKSet { pair?.set ?? JWKSet(keys: []) }
        static var token: String { pair?.token ?? "" }

        static func signed(_ payload: [UInt8]) throws -> VerifiedJWS {
            guard let pair else { throw KeyError.malformed }
            let input = Base64URL.encode(Array(#"{"alg":"EdDSA","kid":"k"}"#.utf8)) + "." + Base64URL.encode(payload)
            let signature = try pair.key.signature(over: Array(input.utf8), algorithm: .edDSA)
            let token = try UnverifiedJWS(input + "." + Base64URL.encode(signature))
            return try JWSVerifier(keys: pair.set).verify(token)
        }
    }

    // MARK: URLs, forms, HTTP

    private static let web = [
        Reader(name: "url", longest: 512) { bytes in
            let url = try HTTPURL(text(bytes))
            promise(url.text == text(bytes), "a URL is unchanged, byte for byte")
            promise(try HTTPURL(url.origin).host == url.host, "an origin is a URL with the same host")
            promise(!url.host.isEmpty && url.port > 0, "a URL has a host and a port")
            _ = (url.isLoopback, url.literalZone, url.authority)
            if let longer = try? HTTPURL(url.appending([("state", "a&b")])) {
                promise(longer.host == url.host && longer.path == url.path, "a parameter changes only the query")
            }
        },
        Reader(name: "form", longest: 2048) { bytes in
            guard let pairs = FormURLEncoded.decode(bytes) else { return }
            let again = FormURLEncoded.decode(Array(FormURLEncoded.encode(pairs.map { ($0.name, $0.value) }).utf8))
            promise(
                again.map { $0.map(\.name) == pairs.map(\.name) && $0.map(\.value) == pairs.map(\.value) } ?? false,
                "a written form is read back unchanged")
        },
        Reader(name: "http-date", longest: 64) { bytes in
            _ = HTTPDate.parse(text(bytes))
            // A leap second is written as the first second of the next minute.
            if let time = HTTPDate.parseRFC3339(text(bytes)), !text(bytes).hasSuffix(":60Z") {
                promise(HTTPDate.rfc3339(time) == text(bytes), "a time has only one spelling")
            }
        },
        Reader(name: "freshness", longest: 256) { bytes in
            let (status, value) = choice(bytes)
            let names = ["cache-control", "retry-after", "date", "content-type"]
            let response = HTTPResponse(
                status: [200, 429, 503][status % 3],
                headers: names.map { (name: $0, value: text(value)) }, body: value)
            promise((RetryAfter.seconds(response, now: now) ?? 0) <= 86400, "the delay is at most one day")
            promise(DocumentFetcher.freshness.contains(DocumentFetcher.lifetime(response)), "freshness is bounded")
            _ = (response.mediaType, response.serverTime)
        },
        Reader(name: "server-text", longest: 1024) { bytes in
            let shown = ServerText(text(bytes), secrets: ["secret-1"]).description
            promise(
                shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) },
                "no control characters")
            promise(!shown.contains("secret-1"), "a repeated secret is redacted")
        },
        // The requests of one connection, received in parts of different lengths. Each part costs a buffer of 16 KB.
        Reader(name: "requests", longest: 256) { bytes in
            let (portion, input) = choice(bytes)
            let (whole, length) = requests(input, portion: input.count)
            let parts = requests(input, portion: portion % 7 * 5 + 1)
            promise(whole == parts.found, "what is read does not depend on how it arrives")
            promise(length <= input.count, "bodies are not longer than the input")
        },
    ]

    /// Returns each request as text, then why the reader stopped, and the total length of the bodies.
    private static func requests(_ input: [UInt8], portion: Int) -> (found: [String], length: Int) {
        var rest = input[...]
        var reader = RequestInput(limits: ServerLimits()) { buffer in
            let part = rest.prefix(min(portion, buffer.count))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        var (found, length) = ([String](), 0)
        var body = [UInt8](repeating: 0, count: 64)
        do {
            while let head = try reader.head() {
                promise(head.path == "*" || head.path.hasPrefix("/"), "a path begins with a slash")
                found.append("\(head.method) \(head.path) \(head.headers)")
                while true {
                    let count = try body.withUnsafeMutableBytes { try reader.read(into: $0) }
                    guard count > 0 else { break }
                    length += count
                    found[found.count - 1] += String(body[..<count].map { Character(UnicodeScalar($0)) })
                }
                promise(reader.isBodyRead, "a body has been read at its end")
            }
        } catch { found.append("\(error)") }
        return (found, length)
    }

    // MARK: OAuth

    private static let oauth = [
        Reader(name: "callback-request", longest: 2048) { bytes in
            guard let end = RequestHead.end(in: bytes) else { return }
            let request = try RequestHead(Array(bytes[..<end]))
            let length = try request.contentLength(limit: 65536)
            promise((0...65536).contains(length), "a body is bounded")
            promise(request.path.hasPrefix("/") || request.path == "*", "a path begins with a slash")
            _ = CallbackParameters(encoded: Array(bytes[end...]))
        },
        Reader(name: "authorization-response", longest: 2048) { bytes in
            let (rule, query) = choice(bytes)
            let parameters =
                rule & 1 == 0 ? CallbackParameters(encoded: query) : CallbackParameters(pasted: text(query))
            let request = AuthorizationRequest(
                url: try HTTPURL(origin), redirectURI: "http://127.0.0.1:1/callback",
                state: AuthorizationState("state"),
                nonce: Nonce("nonce-1"), proofKey: try ProofKey(random: .openSSL), scopes: [],
                responseMode: rule & 2 == 0 ? .query : .formPost)
            let response = try AuthorizationResponse(
                parameters, to: request, issuers: .exact(origin), requiresIssuer: rule & 4 == 0)
            promise(parameters.value("state") == "state", "a response has the expected state, once")
            promise(rule & 4 != 0 || parameters.value("iss") == origin, "a required iss is present")
            promise(!response.code.revealed().isEmpty, "a code is not empty")
        },
        Reader(name: "token-response", longest: 4096) { bytes in
            let (rule, body) = choice(bytes)
            let type = ["application/json", "application/x-www-form-urlencoded", "text/html"][rule % 3]
            let response = HTTPResponse(
                status: [200, 400, 401, 429, 503][rule % 5], headers: [(name: "Content-Type", value: type)], body: body)
            let tokens = try TokenResponse(
                response, origin: origin, at: .token, acceptsForm: rule & 32 == 0, now: now)
            promise((0...Seconds.longest).contains(tokens.expiresIn ?? 0), "a lifetime of at most one year")
            promise((1...Seconds.longest).contains(tokens.refreshExpiresIn ?? 1), "a session of at most one year")
            promise(
                tokens.accessToken.revealed().utf8.allSatisfy { (0x21...0x7E).contains($0) },
                "a token is valid in a header")
        },
        Reader(name: "device-authorization", longest: 2048) { bytes in
            let device = try DeviceAuthorization(try StrictJSON.object(bytes), nameOfURL: "verification_uri")
            promise((1...Seconds.longest).contains(device.interval), "an interval of at most one year")
        },
        Reader(name: "discovery", longest: 4096) { bytes in
            let (rule, body) = choice(bytes)
            let metadata = try ProviderMetadata(body, issuer: try HTTPURL(origin), zone: rule & 1 == 0 ? .global : nil)
            promise(metadata.issuer == origin, "metadata has the requested issuer")
            promise(metadata.tokenEndpoint.isSecure, "a token endpoint is https")
        },
        Reader(name: "challenge", longest: 1024) { bytes in
            for challenge in AuthenticationChallenge.read(text(bytes)) {
                promise(
                    !challenge.scheme.isEmpty && challenge.scheme == challenge.scheme.lowercased(),
                    "a scheme has a name")
                promise(challenge.token68 == nil || challenge.parameters.isEmpty, "a challenge has one form")
                for (name, value) in challenge.parameters {
                    promise(name == name.lowercased(), "names are lowercase")
                    promise(
                        value.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) },
                        "no control characters in a value")
                }
            }
        },
        Reader(name: "protected-resource", longest: 4096) { bytes in
            let asked = try HTTPURL(origin + "/api")
            let resource = try ProtectedResource(bytes, of: asked, at: asked, zone: .global)
            promise(resource.resource.origin == asked.origin, "metadata has the requested host")
            promise(resource.authorizationServers.allSatisfy(\.isSecure), "authorization servers use https")
        },
        Reader(name: "registered-client", longest: 2048) { bytes in
            guard let client = RegisteredClient(text: text(bytes)) else { return }
            promise(RegisteredClient(text: client.text) == client, "a written client is read back unchanged")
        },
        Reader(name: "firebase-error", longest: 1024) { bytes in
            _ = FirebaseError(try StrictJSON.object(bytes), status: 400, secrets: ["secret-1"])
        },
    ]

    // MARK: Requests of other tools

    private static let tools = [
        Reader(name: "git", longest: 2048) { bytes in
            let question = try GitCredential(bytes)
            guard let url = question.url else { return }
            promise(url.path.isEmpty && url.query == nil, "git's URL has no path or query")
            guard let repository = question.path.flatMap(Repository.init(path:)) else { return }
            promise(Repository(repository.text) == repository, "a repository is two names")
        },
        Reader(name: "docker", longest: 2048) { bytes in
            guard let question = DockerCredential(bytes) else { return }
            promise(question.server.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "docker's server is visible ASCII")
            promise(question.url?.query == nil, "docker's server has no query")
        },
        Reader(name: "kubectl", longest: 2048) { bytes in
            let version = try KubernetesCredential(text(bytes)).apiVersion
            promise(KubernetesCredential.versions.contains(version), "the kubectl version is supported")
        },
        Reader(name: "mcp", longest: 2048) { bytes in
            guard let message = MCPMessage(bytes) else { return }
            promise(MCPMessage.line(bytes).firstIndex(of: 10) == bytes.count, "a message is one line")
            for value in [message.method, message.name].compactMap({ $0 }) {
                let header = MCPMessage.headerValue(value)
                promise(header.utf8.allSatisfy { $0 == 9 || (0x20..<0x7F).contains($0) }, "a header is plain ASCII")
            }
        },
        // The first byte says where the stream is split.
        Reader(name: "events", longest: 2048) { bytes in
            let (split, stream) = choice(bytes)
            func events(_ parts: [ArraySlice<UInt8>]) -> ([[UInt8]], String?) {
                var (found, reader) = ([[UInt8]](), EventStream(limit: 4096))
                for part in parts {
                    promise(reader.take(Array(part)) { found.append($0) }, "it is short")
                }
                return (found, reader.lastID)
            }
            let (whole, parts) = (events([stream[...]]), events([stream.prefix(split), stream.dropFirst(split)]))
            promise(whole.0 == parts.0 && whole.1 == parts.1, "parts give the same events as the whole")
        },
    ]

    // MARK: Files

    private static let files = [
        Reader(name: "config-yaml", longest: 4096) { bytes in
            let file = try ConfigFile(bytes, path: "config.yaml")
            for profile in file.profileNames {
                _ = try? file.oneAccountPerEmail(profile: profile)
                _ = try? file.firebaseProject(profile: profile)
                for id in (try? file.providerIDs(profile: profile)) ?? [] {
                    _ = try? file.provider(id, profile: profile)
                }
            }
            var changed = file
            guard (try? changed.setOneAccountPerEmail(false, profile: "default")) != nil,
                let written = try? changed.bytes()
            else { return }
            let again = try? ConfigFile(written, path: "config.yaml")
            promise((try? again?.oneAccountPerEmail(profile: "default")) == false, "a change is read back")
            promise(again?.profileNames.count ?? 0 >= file.profileNames.count, "a change keeps all profiles")
        },
        Reader(name: "password-hash", longest: 256) { bytes in
            guard let hash = PasswordHash(text: text(bytes)) else { return }
            promise(PasswordHash(text: hash.text) == hash, "a written hash is read back unchanged")
        },
        Reader(name: "wrapped-key", longest: 512) { bytes in
            // Also with a correct checksum, which an attacker can compute.
            let (rule, line) = choice(bytes)
            let body = line.last == 10 ? Array(line.dropLast()) : line
            let check = (try? HashFunction.sha256.digest(body)).map(Base64URL.encode) ?? ""
            let file = rule & 1 == 0 ? line : body + Array("$\(check)\n".utf8)
            let key = try WrappedKey(file)
            promise(key.bytes == file, "a wrapped key has only one spelling")
            promise(key.cost.isSensible, "the cost is acceptable")
        },
        Reader(name: "shell-words", longest: 512) { bytes in
            guard let words = Shell.split(text(bytes)) else { return }
            promise(Shell.split(Shell.words(words)) == words, "joined words are split again")
        },
        Reader(name: "firebase-config", longest: 4096) { bytes in
            for settings in FirebaseSettings.all(in: text(bytes)) {
                promise(!settings.apiKey.isEmpty && !settings.projectID.isEmpty, "a project has a key and an ID")
            }
        },
        Reader(name: "stored-grant", longest: 2048) { bytes in
            guard let object = try? StrictJSON.object(bytes), let grant = try? Grant(stored: object, of: "oidc.work") else {
                return
            }
            promise(
                try Grant(stored: grant.stored, of: "oidc.work") == grant,
                "a written grant is read back unchanged")
        },
    ]
}

import AuthCore

/// The keys and expected claims of one run of `verify`.
final class VerifyBatch {
    private var verifyAll: VerifyTokens
    private var verify: VerifyToken
    private let source: KeySource?
    /// When the keys were last looked up, and fetched for an unknown key, in seconds: a process that verifies tokens for
    /// days must notice new and revoked keys.
    private var checkedAt, refetchedAt: Int64
    /// Why the keys could not be fetched for an unknown key.
    private var fetchError: (any Error)?
    /// The expected issuer and audience; nil if only the signature is checked.
    private let claims: (issuer: String, audience: String)?
    private let isAccessToken: Bool
    private let project: FirebaseProject?
    private let clock: Clock

    init(_ flags: VerificationFlags, in context: Context, cores: Int) async throws {
        clock = context.clock
        (checkedAt, refetchedAt) = (clock.now(), 0)
        isAccessToken = flags.type == .access
        let project = flags.issuer == nil && flags.jwks == nil ? try VerifyBatch.project(context) : nil
        self.project = flags.signatureOnly ? nil : project
        let named = flags.issuer.flatMap { issuer in flags.audience.map { (issuer, $0) } }
        claims = flags.signatureOnly ? nil : project.map { ($0.issuer, $0.projectID) } ?? named
        if let file = flags.jwks {
            source = nil
            let keys = try VerifyBatch.keySet(in: file)
            verifyAll = VerifyTokens(keys: keys, algorithms: Set(SignatureAlgorithm.allCases), cores: cores)
        } else {
            var services = try context.profile.services()
            services.cache = services.cache ?? MemoryDocumentCache()
            let fetcher = services.fetcher
            let published = try await VerifyBatch.publishedKeys(of: project, or: flags.issuer ?? "", fetcher)
            let source = KeySource(fetcher: fetcher, published: published)
            self.source = source
            verifyAll = VerifyTokens(keys: try await source.keys(), algorithms: published.algorithms, cores: cores)
        }
        verify = verifyAll.verifier()
    }

    private static func keySet(in file: String) throws -> JWKSet {
        let bytes = Array(try SecretInput.file(file).utf8)
        do {
            return try JWKSet(bytes)
        } catch {
            throw CommandError(
                error.code, "'\(file)' is not a JWK Set: \(error.message)",
                hint: "use the JSON document at the provider's jwks_uri")
        }
    }

    private static func project(_ context: Context) throws -> FirebaseProject {
        guard let project = try context.profile.project() else {
            throw UsageProblem.missing(["--issuer", "--audience"], note: ", or --jwks with --signature-only")
        }
        guard project.origin.emulator == nil else {
            throw CommandError(
                .operationNotAllowed, "the tokens of a Firebase emulator are not signed",
                hint: "for tokens of the project itself: \(run: "unset FIREBASE_AUTH_EMULATOR_HOST")")
        }
        return project
    }

    private static func publishedKeys(
        of project: FirebaseProject?, or issuer: String, _ fetcher: DocumentFetcher
    ) async throws -> PublishedKeys {
        if let project { return try project.publishedKeys() }
        let issuer = try Provider.url(issuer, setting: "--issuer")
        guard issuer.protectsSecrets else { throw HTTPError.plainHTTP(origin: issuer.origin) }
        return try await Discovery(fetcher: fetcher).publishedKeys(issuer: issuer)
    }

    struct Part: Sendable {
        var output: [UInt8] = []
        var hasRefused = false
        var lacksKey = false
    }

    func lines(_ tokens: [[UInt8]], _ errorContext: ErrorContext) async throws -> [Part] {
        let now = clock.now()
        if Self.isDue(checkedAt, now) {
            checkedAt = now
            try await update(.whenStale)
        }
        let parts = await checked(tokens, errorContext)
        guard source != nil, Self.isDue(refetchedAt, now), parts.contains(where: \.lacksKey) else { return parts }
        refetchedAt = now
        do {
            try await update(.oncePerMinute)
            fetchError = nil
        } catch { fetchError = error }
        return await checked(tokens, errorContext)
    }

    private static func isDue(_ last: Int64, _ now: Int64) -> Bool { !(last..<last + 60).contains(now) }

    private func checked(_ tokens: [[UInt8]], _ errorContext: ErrorContext) async -> [Part] {
        let (expected, project, fetchError, now) = (expected, project, fetchError, clock.now())
        return await verifyAll.run(tokens, own: verify) {
            Self.part(
                $0, by: $1, expecting: expected, of: project, withoutKey: fetchError, now: now, in: errorContext)
        }
    }

    private var expected: VerifyToken.Expected? {
        claims.map { issuer, audience in
            guard !isAccessToken else {
                return .accessToken(issuer: issuer, audience: audience, now: clock.now())
            }
            var expected = ExpectedIDToken(
                issuers: .exact(issuer), audience: audience, nonce: .notChecked, now: clock.now())
            if project != nil { expected.acceptUIDs() }
            return .idToken(expected)
        }
    }

    private static func part(
        _ tokens: ArraySlice<[UInt8]>, by verify: VerifyToken, expecting expected: VerifyToken.Expected?,
        of project: FirebaseProject?, withoutKey fetchError: (any Error)?, now: Int64, in errorContext: ErrorContext
    ) -> Part {
        var part = Part()
        part.output.reserveCapacity(tokens.reduce(0) { $0 + $1.count })
        for result in verify.run(tokens, expecting: expected) {
            switch ofProject(result, project: project, now: now) {
            case .success(let checked): append(checked, to: &part.output)
            case .failure(let error):
                part.hasRefused = true
                var reason: any Error = error
                if case .jose(.noKey) = error {
                    part.lacksKey = true
                    reason = fetchError ?? error
                }
                let failure = Failure(reason, while: errorContext)
                part.output += Array((VerifiedLine(refusal: failure).json.text + "\n").utf8)
            }
        }
        return part
    }

    private typealias Outcome = Result<VerifyToken.Checked, IDTokenRejection>

    private static func ofProject(_ result: Outcome, project: FirebaseProject?, now: Int64) -> Outcome {
        guard let project, case .success(let checked) = result, let claims = checked.claims else { return result }
        return Outcome { () throws(IDTokenRejection) in
            try project.checkClaims(claims, now: now)
            return checked
        }
    }

    func check(_ token: [UInt8]) async throws -> VerifyToken.Checked {
        var result = verify.run([token], expecting: expected)[0]
        if case .failure(.jose(.noKey)) = result {
            try await update(.oncePerMinute)
            result = verify.run([token], expecting: expected)[0]
        }
        return try VerifyBatch.ofProject(result, project: project, now: clock.now()).get()
    }

    private func update(_ refetch: DocumentFetcher.Refetch) async throws {
        guard let source else { return }
        verifyAll.keys = try await source.keys(refetch: refetch)
        verify = verifyAll.verifier()
    }

    private static func append(_ result: VerifyToken.Checked, to output: inout [UInt8]) {
        guard let claims = result.claims else {
            let text = String(validating: result.payload, as: UTF8.self)
            let line = VerifiedLine(
                algorithm: result.algorithm.rawValue, payload: text,
                encodedPayload: text == nil ? Base64URL.encode(result.payload) : nil)
            output.append(contentsOf: (line.json.text + "\n").utf8)
            return
        }
        // As `VerifiedLine` does, without copying the claims.
        output.append(contentsOf: #"{"valid":true,"claims":"#.utf8)
        output.append(contentsOf: text(of: result.payload, claims))
        output.append(contentsOf: #","error":null,"alg":""#.utf8)
        output.append(contentsOf: result.algorithm.rawValue.utf8)
        output.append(contentsOf: "\",\"payload\":null,\"payloadBase64url\":null}\n".utf8)
    }

    static func text(of payload: [UInt8], _ claims: JSONObject) -> [UInt8] {
        let isUnchanged = payload.isPrintableASCII && !payload.contains(UInt8(ascii: "#"))
        return isUnchanged ? payload : Array(JSONValue.object(claims).text.utf8)
    }
}

/// The result for one of several tokens.
struct VerifiedLine: Viewed {
    static let view = View<VerifiedLine> {
        Field("valid", of: { $0.refusal == nil })
        Field("claims", of: \.claims, means: "of a valid token; null if only the signature was verified")
        Field("error", of: { $0.refusal.map { Refusal(failure: $0) } }, means: "of an invalid token")
        Field("alg", of: \.algorithm, means: "of a valid token")
        Field("payload", of: \.payload, means: "the payload as text, if only the signature was verified")
        Field("payloadBase64url", of: \.encodedPayload, means: "such a payload that is not text")
    }

    private struct Refusal: Viewed {
        static let view = View<Refusal>("Refusal") {
            Field("code", of: \.failure.code, means: "stable")
            Field("message", of: \.failure.message)
        }
        let failure: Failure
    }

    var claims: JSONObject?
    var refusal: Failure?
    var algorithm: String?
    var payload: String?
    var encodedPayload: String?
}

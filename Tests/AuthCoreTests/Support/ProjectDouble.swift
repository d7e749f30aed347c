import AuthCoreTesting
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// A Firebase project in memory: returns a test's responses, signs ID tokens and records the requests.
final class ProjectDouble: HTTPTransport {
    static let projectID = "demo-project"
    static let now = TestProvider.now
    private let state = Mutex<(responses: [String: [HTTPResponse]], requests: [HTTPRequest])>(([:], []))
    private let hidesKeys = Mutex(false)
    let key: PrivateKey
    /// Shared, because generating an RSA key is slow.
    private static let oneKey = Result { try PrivateKey.generate(.rsa) }

    init() throws {
        key = try ProjectDouble.oneKey.get()
        on("/v1/accounts:lookup", .json(ProjectDouble.users("uid-1")))
    }

    func on(_ path: String, _ response: HTTPResponse) { on(path, [response]) }
    /// The responses to successive requests; the last one is repeated.
    func on(_ path: String, _ responses: [HTTPResponse]) { state.withLock { $0.responses[path] = responses } }
    /// Makes requests for the signing keys of ID tokens fail.
    func hideKeys() { hidesKeys.withLock { $0 = true } }
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if request.url.text == FirebaseProject.keys {
            guard !hidesKeys.withLock({ $0 }) else {
                throw .cannotConnect(origin: request.url.origin, reason: "no keys in this test")
            }
            return .json(JWKSet(keys: [JWK(key: key.publicKey, keyID: "k1")]).json)
        }
        let response = state.withLock { state -> HTTPResponse? in
            state.requests.append(request)
            // The path at an emulator starts with the service's host.
            let path = request.url.path.replacing("/identitytoolkit.googleapis.com", with: "")
                .replacing("/securetoken.googleapis.com", with: "")
            guard let responses = state.responses[path], let first = responses.first else { return nil }
            if responses.count > 1 { state.responses[path] = Array(responses.dropFirst()) }
            return first
        }
        guard let response else { throw .cannotConnect(origin: request.url.origin, reason: "no response in this test") }
        return response
    }

    static func users(_ uid: String) -> JSONObject {
        [
            "users": [
                [
                    "localId": .string(uid), "email": "ada@example.com", "createdAt": "1795248000000",
                    "lastLoginAt": "1795248000000",
                    "providerUserInfo": [
                        ["providerId": "google.com", "rawId": "1", "federatedId": "1", "email": "ada@example.com"]
                    ],
                ]
            ]
        ]
    }

    func idToken(_ change: (inout JSONObject) -> Void = { _ in }, signedBy other: PrivateKey? = nil) throws -> String {
        var claims: JSONObject = [
            "iss": "https://securetoken.google.com/demo-project", "aud": "demo-project", "sub": "uid-1",
            "iat": JSONValue(ProjectDouble.now), "exp": JSONValue(ProjectDouble.now + 3600),
            "auth_time": JSONValue(ProjectDouble.now),
        ]
        change(&claims)
        return try JWSSigner(key: other ?? key, algorithm: .rs256, keyID: "k1").sign(claims)
    }

    /// An unsigned ID token, as an emulator returns it.
    static func unsignedToken(_ change: (inout JSONObject) -> Void = { _ in }) -> String {
        var claims: JSONObject = [
            "iss": "https://securetoken.google.com/demo-project", "aud": "demo-project", "sub": "uid-1",
            "iat": JSONValue(ProjectDouble.now), "exp": JSONValue(ProjectDouble.now + 3600),
            "auth_time": JSONValue(ProjectDouble.now),
        ]
        change(&claims)
        let parts = [#"{"alg":"none","typ":"JWT"}"#, JSONValue.object(claims).text]
        return parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
    }

    func signsIn(_ idToken: String) {
        on(
            "/v1/accounts:signInWithIdp",
            .json([
                "localId": "uid-1", "idToken": .string(idToken), "refreshToken": "refresh-token-0001",
                "expiresIn": "3600",
                "isNewUser": true,
            ]))
    }

    /// Makes every call fail with this message, which may quote the request.
    func refuses(_ message: String) {
        let body: JSONObject = [
            "error": ["code": 400, "message": .string(message), "errors": [["message": .string(message)]]]
        ]
        for operation in ["signInWithIdp", "signInWithPassword", "signUp", "update", "delete", "lookup"] {
            on("/v1/accounts:\(operation)", .json(body, status: 400))
        }
    }
}

extension HTTPResponse {
    static func json(_ object: JSONObject, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [(name: "Content-Type", value: "application/json")],
            body: Array(JSONValue.object(object).text.utf8))
    }
}

/// A Firebase project as the directory, with a new store.
struct FirebaseBench {
    private let folder: TemporaryFolder
    /// The local data of this project.
    let sessionStore: SessionStore
    let project: ProjectDouble
    let notes = Notes()
    /// The store's database.
    var database: String { folder.path + "/config/authctl.db" }
    private let now = ProjectDouble.now

    final class Notes: Sendable {
        private let notes = Mutex<[DirectoryNote]>([])
        var all: [DirectoryNote] { notes.withLock { $0 } }
        func add(_ note: DirectoryNote) { notes.withLock { $0.append(note) } }
    }

    init() throws {
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        sessionStore = SessionStore(
            store: store, profile: "default", origin: .project(id: ProjectDouble.projectID, tenant: nil, emulator: nil))
        project = try ProjectDouble()
    }

    func directory(
        tenant: String? = nil, project id: String = ProjectDouble.projectID, emulator: EmulatorHost? = nil
    ) -> FirebaseDirectory {
        FirebaseDirectory(
            project: FirebaseProject(
                settings: FirebaseSettings(apiKey: "the-api-key", projectID: id, tenantID: tenant), emulator: emulator),
            sessionStore: sessionStore, transport: project,
            fetcher: DocumentFetcher(
                transport: project, cache: nil, clock: Clock(now: { ProjectDouble.now })),
            clock: Clock(now: { ProjectDouble.now }),
            notice: { [notes] in notes.add($0) })
    }

    func credential(_ provider: String = "google.com") -> AccountCredential {
        AccountCredential(
            identity: Identity(
                key: IdentityKey(providerID: provider, authority: "https://accounts.google.com", federatedID: "1"),
                email: "ada@example.com", isEmailVerified: true, displayName: "Ada", photoURL: nil),
            grant: Grant(
                providerID: provider, issuer: "https://accounts.google.com", clientID: "c",
                tokens: Tokens(
                    accessToken: AccessToken("access+token/0001="), expiresAt: now + 3600,
                    refreshToken: provider == "apple.com" ? RefreshToken("refresh-1") : nil,
                    idToken: RawIDToken("the-id-token-0001"), idTokenExpiresAt: now + 3600, tokenOrigin: ""),
                subject: "1", nonce: Nonce("hash"), authenticatedAt: now, lastProvenAt: now, source: .browser),
            profile: JSONObject(), rawNonce: Nonce("the-raw-nonce-0001"))
    }
}

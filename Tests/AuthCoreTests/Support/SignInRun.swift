import AuthCoreTesting
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AuthCore

/// A whole sign-in against a `TestProvider`, over the real listener and the real store.
final class SignInRun: SignInInterface {
    let provider: TestProvider
    let directory: LocalDirectory
    let folder: TemporaryFolder
    private let answers: @Sendable (String) -> [Answer]
    private let statuses = Mutex<[String]>([])

    /// An action of the browser or an attacker after the authorization URL is known.
    enum Answer: Sendable {
        /// A GET of the redirect URI with this query.
        case query(String)
        /// Bytes for the listener; PORT is replaced with its port.
        case raw(String)
        /// Pasted text. CALLBACK is replaced with the correct callback URL, REDIRECT_URI with the redirect URI; empty text
        /// means the correct callback URL.
        case pasted(String)
    }

    private let cache: (any DocumentCache)?

    init(
        _ provider: TestProvider, cache: (any DocumentCache)? = nil,
        answers: @escaping @Sendable (_ state: String) -> [Answer]
    ) throws {
        self.provider = provider
        self.cache = cache
        self.answers = answers
        folder = try TemporaryFolder()
        let config = ConfigDirectory(path: folder.path + "/config")
        let store = try #require(try Store.open(in: config, host: NonInteractiveVaultHost(), creating: true))
        directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
    }

    /// A sign-in whose callback has a code, the state and the issuer.
    static func good(_ provider: TestProvider, cache: (any DocumentCache)? = nil) throws -> SignInRun {
        try SignInRun(provider, cache: cache) { [.query(SignInRun.goodQuery(state: $0))] }
    }

    static func goodQuery(state: String, code: String = TestProvider.code) -> String {
        FormURLEncoded.encode([("code", code), ("state", state), ("iss", TestProvider.issuer)])
    }

    var entry: Provider {
        get throws {
            Provider(id: "oidc.test", issuer: try HTTPURL(TestProvider.issuer), clientID: TestProvider.clientID)
        }
    }

    func services() -> Services {
        Services(transport: provider, cache: cache, clock: Clock(now: { TestProvider.now }, sleep: SignInRun.sleep))
    }

    /// The services for refresh and sign-out of this run's session.
    func sessionServices(entry changed: Provider? = nil, _ keys: ClientKeys = ClientKeys()) throws -> SessionServices {
        let entry = try changed ?? self.entry
        let services = self.services()
        return SessionServices(
            directory: directory, clock: services.clock, lockDirectory: ConfigDirectory(path: folder.path + "/config"),
            client: { _ in try await ProviderClient.resolve(entry, keys: keys, services: services) })
    }

    /// The contents of the files of the sessions' locks.
    func sessionLocks() throws -> [String] {
        let place = folder.path + "/config/locks"
        return try (DirectoryListing.names(at: place) ?? []).filter { $0.hasPrefix("session-") }.map {
            String(decoding: try TestFile.read(place + "/" + $0), as: UTF8.self)
        }
    }

    /// A replacement for sleep. Short pauses are skipped; long ones end only when they are canceled.
    private static let sleep: @Sendable (Double) async throws -> Void = { seconds in
        guard seconds > 60 else { return }
        // Waits until the task is canceled.
        let (never, continuation) = AsyncStream<Never>.makeStream()
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }

    func run(
        _ change: (inout SignInRequest) -> Void = { _ in }, entry changed: Provider? = nil,
        keys: ClientKeys = ClientKeys()
    ) async throws -> SignInResult {
        var request = SignInRequest()
        request.acceptsPaste = true
        change(&request)
        let client = try await ProviderClient.resolve(
            try changed ?? entry, keys: keys, services: services())
        return try await SignIn(request, client: client, directory: directory, interface: self).run()
    }

    /// Runs a sign-in that must be refused; returns its error.
    func failure(
        _ change: (inout SignInRequest) -> Void = { _ in }, entry: Provider? = nil, keys: ClientKeys = ClientKeys()
    ) async throws -> any Error {
        do {
            _ = try await run(change, entry: entry, keys: keys)
        } catch {
            #expect(try await directory.sessionStore.sessions().isEmpty, "a refused sign-in stores nothing")
            return error
        }
        Issue.record("the sign-in was not refused")
        return NotRefused()
    }

    /// The status lines that the listener answered with, in order.
    var listenerStatuses: [String] { statuses.withLock { $0 } }

    private let lines = AsyncStream<String>.makeStream()
    private let shown = Mutex<String?>(nil)

    /// Whether the callback arrives after the URL has expired.
    var comesLate: Bool { late.withLock { $0 } }
    let late = Mutex(false)
    /// The URLs that were printed.
    let pages = Mutex<[AuthorizationPage]>([])

    func showURLExpired() async {
        guard comesLate, let page = pages.withLock({ $0.last }) else { return }
        await answer(page.url, page.redirectURI, onlyPasted: false)
    }

    func show(_ page: AuthorizationPage) async {
        shown.withLock { $0 = page.url }
        pages.withLock { $0.append(page) }
        if page.acceptsPaste { await answer(page.url, page.redirectURI, onlyPasted: true) }
    }

    func show(device: DeviceAuthorization) async {}
    func show(notTheCallback fault: PastedResponseFault, redirectURI: String) async {
        others.withLock { $0.append(redirectURI) }
        faults.withLock { $0.append(fault) }
    }
    let faults = Mutex<[PastedResponseFault]>([])
    /// The messages about pasted lines that are not the callback URL.
    let others = Mutex<[String]>([])
    let opened = Mutex<[String]>([])
    func landingPage(after result: Result<SignInResult, any Error>) -> LandingPage { .plain }
    var hasBrowser: Bool { true }

    func openBrowser(_ url: String) async -> Bool {
        let query = provider.parameters(of: url)
        opened.withLock { $0.append(url) }
        guard !comesLate else { return true }
        await answer(url, query.first { $0.name == "redirect_uri" }?.value ?? "", onlyPasted: false)
        return true
    }

    func pastedLines() -> AsyncStream<String> { lines.stream }

    private func answer(_ url: String, _ redirectURI: String, onlyPasted: Bool) async {
        try? provider.begin(url)
        let query = provider.parameters(of: url)
        let state = query.first { $0.name == "state" }?.value ?? ""
        guard let target = try? HTTPURL(redirectURI) else { return }
        for answer in answers(state) {
            switch answer {
            case .pasted(let text):
                if onlyPasted {
                    let callback = redirectURI + "?" + SignInRun.goodQuery(state: state)
                    lines.continuation.yield(
                        text.isEmpty
                            ? callback
                            : text.replacing("CALLBACK", with: callback)
                                .replacing("REDIRECT_URI", with: redirectURI))
                }
            case .query(let query):
                guard !onlyPasted else { continue }
                let request = "GET \(target.path)?\(query) HTTP/1.1\r\nHost: \(target.authority)\r\n\r\n"
                record(await RawHTTP.exchange(request, port: target.port))
            case .raw(let request):
                guard !onlyPasted else { continue }
                record(await RawHTTP.exchange(request.replacing("PORT", with: "\(target.port)"), port: target.port))
            }
        }
        if onlyPasted { lines.continuation.finish() }
    }

    private func record(_ response: String) {
        statuses.withLock { $0.append(response.split(separator: "\r\n").first.map(String.init) ?? "") }
    }
}

/// One HTTP exchange over a plain loopback socket, with exactly the bytes of the test.
enum RawHTTP {
    /// Runs on a separate thread, because blocking the cooperative pool would block the listener.
    static func exchange(_ request: String, port: UInt16) async -> String {
        await OwnThread.run { blockingExchange(request, port: port) }
    }

    private static func blockingExchange(_ request: String, port: UInt16) -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: inet_addr("127.0.0.1"))
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return "" }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            response += buffer[..<count]
        }
        return String(decoding: response, as: UTF8.self)
    }
}

extension LandingPage {
    static let plain = LandingPage(.succeeded, title: "Signed in", text: "…", by: "test")
}

extension SessionStore {
    func removeSessions(account uid: String, now: Int64) async throws {
        try await removeSessions(try await sessions(account: uid), of: uid, now: now)
    }
}

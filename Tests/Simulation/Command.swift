import AuthCoreTesting

@testable import AuthCore

/// One simulated call of authctl, with checks of its result.
struct Command: Sendable {
    private let machine: Machine
    private let process: SimulatedProcess

    init(_ machine: Machine, _ process: SimulatedProcess) {
        self.machine = machine
        self.process = process
    }

    private var number: Int { process.number }

    /// The process's command, which is chosen when the process starts.
    private enum Task {
        case token, distrust, signIn, signOut, switching, link, reauthenticate, delete
    }

    func run() async {
        let task = next()
        machine.note("process \(number): \(task)")
        do {
            try await run(task)
            if !process.isKilled { machine.note("process \(number) is done") }
        } catch {
            guard !process.isKilled else { return }
            machine.note("process \(number) ends: \(error)")
            if !isExpected(error) { machine.fail("unexpected error of \(task): \(error)") }
        }
    }

    private func next() -> Task {
        if machine.accounts.isEmpty { return .signIn }
        return switch Int.random(in: 0..<100, using: &machine.numbers) {
        case 0..<64: .token
        case ..<74: .distrust
        case ..<82: .signIn
        case ..<86: .signOut
        case ..<90: .switching
        case ..<94: .link
        case ..<97: .reauthenticate
        default: .delete
        }
    }

    private func isExpected(_ error: any Error) -> Bool {
        if case StoreError.busy = error { return true }
        return error is NotSignedIn || error is AccountRefusal || error is AccountConflict || error is OAuthError
            || error is HTTPError || error is DocumentError || error is IDTokenRefused
    }

    private func run(_ task: Task) async throws {
        guard
            var store = try Store.open(
                in: machine.directory, host: NonInteractiveVaultHost(), creating: true, random: machine.random)
        else { return machine.fail("the store is gone") }
        let (machine, process) = (machine, process)
        store.checkpoint = { try await machine.pause(process) }
        let directory = LocalDirectory(sessionStore: SessionStore(store: store, profile: "default"))
        switch task {
        case .token: try await printToken(directory)
        case .distrust: try await distrust(directory)
        case .signIn:
            let credential = try await credential()
            let (account, _) = try await directory.signIn(credential, now: machine.now)
            checkStored(credential, of: account)
        case .link:
            let credential = try await credential()
            guard let account = chosen() else { return }
            _ = try await directory.link(credential, to: account.uid, hasConsent: false, now: machine.now)
            checkStored(credential, of: account)
        case .reauthenticate:
            let credential = try await credential()
            guard let account = chosen() else { return }
            _ = try await directory.reauthenticate(credential, as: account.uid, now: machine.now)
            checkStored(credential, of: account)
        case .signOut:
            var request = SignOut.Request()
            request.account = numbers(chance: 0.5) ? chosen()?.uid : nil
            request.revokes = numbers(chance: 0.5)
            let result = try await SignOut(services(directory)).run(request)
            if let fault = result.fault { throw fault }
        case .switching:
            guard let account = chosen() else { return }
            let status = try await AccountStatus.one(name(of: account), in: directory, unproven: true)
            try await directory.sessionStore.makeCurrent(status.account.uid)
            if !process.isKilled, !process.currents.contains(account.uid) {
                machine.fail("another account was selected")
            }
        case .delete:
            guard let account = chosen() else { return }
            let status = try await AccountStatus.one(name(of: account), in: directory)
            try await directory.delete(status.account.uid, now: machine.now)
        }
    }

    private func numbers(chance: Double) -> Bool { machine.numbers.chance(chance) }

    private func chosen() -> Account? { machine.accounts.randomElement(using: &machine.numbers) }

    private func name(of account: Account) -> String {
        numbers(chance: 0.5) ? account.uid : account.email ?? account.uid
    }

    // MARK: Tokens

    private func printToken(_ directory: LocalDirectory) async throws {
        var request = CurrentToken.Request()
        let account = numbers(chance: 0.5) ? chosen() : nil
        request.account = account.map(name)
        if numbers(chance: 0.3) { request.provider = SimulatedProvider.ids.randomElement(using: &machine.numbers) }
        request.forcesRefresh = numbers(chance: 0.35)
        if numbers(chance: 0.2) { request.kind = .id }
        if numbers(chance: 0.2) { request.minimumLifetime = 30 }
        let line = "process \(number): account \(request.account ?? "-"), provider \(request.provider ?? "-")"
        machine.note(line + (request.forcesRefresh ? ", forced" : "") + (request.kind == .id ? ", ID token" : ""))
        let result = try await token(request, directory)
        guard !process.isKilled else { return }
        check(result, request, account)
        if case .access(let token) = result.token { machine.handedOut.append((token, result.providerID)) }
    }

    private func token(
        _ request: CurrentToken.Request, _ directory: LocalDirectory
    ) async throws -> CurrentToken.Result {
        let mark = try SettingsDigest(machine.directory.settings(), namesEmulator: false)
        let stored = try CurrentToken.stored(
            request, in: directory.sessionStore, settings: mark, clock: machine.clock(of: process))
        if let stored { return stored }
        return try await CurrentToken(services(directory)).run(request)
    }

    private func distrust(_ directory: LocalDirectory) async throws {
        guard let (token, provider) = machine.handedOut.suffix(4).randomElement(using: &machine.numbers) else { return }
        var request = CurrentToken.Request()
        request.provider = provider
        request.account = numbers(chance: 0.5) ? chosen()?.uid : nil
        try await CurrentToken(services(directory)).distrust(token, for: request)
    }

    private func check(_ result: CurrentToken.Result, _ request: CurrentToken.Request, _ account: Account?) {
        let known = machine.provider.idTokens[result.token.revealed()]
        guard let token = known?.token ?? SimulatedProvider.token(result.token.revealed()),
            let session = result.session
        else { return machine.fail("an unknown token was handed out") }
        machine.note("process \(number) gets \(token.family)-\(token.generation) of \(session.accountUID)")
        let family = machine.provider.families[token.family]
        let record = machine.provider.records[token.family][token.generation]
        if family.subject != session.subject || family.provider != result.providerID {
            machine.fail("another user's token was handed out")
        }
        if let providers = request.providers, !providers.contains(result.providerID) {
            machine.fail("another provider's token was handed out")
        }
        if let account {
            if session.accountUID != account.uid { machine.fail("the account argument was ignored") }
        } else {
            let isOther = result.notes.contains { if case .otherAccount = $0 { true } else { false } }
            if !isOther, !isMeant(session.accountUID, by: request) {
                machine.fail("a token of an account that was not current was handed out")
            }
        }
        if machine.wasDeleted(session.accountUID, before: process.began) {
            machine.fail("a token of a deleted account was handed out")
        }
        let expiresAt = known?.expiresAt ?? record.receivedAt.map { $0 + family.lifetime }
        guard let expiresAt else { return machine.fail("a token was handed out before it was received") }
        if expiresAt <= process.clock.lowerBound, record.issuedAt < process.began {
            machine.fail("an expired token was handed out")
        }
        machine.checkStored(token)
        if request.forcesRefresh, known == nil, let storedAt = record.storedAt, storedAt < process.began {
            machine.fail("a forced refresh returned an old token")
        }
    }

    /// Whether a request without an account means this one: it was current, or none was and it alone had the provider.
    private func isMeant(_ uid: String, by request: CurrentToken.Request) -> Bool {
        if process.currents.contains(uid) { return true }
        guard process.currents.contains(nil), let provider = request.provider else { return false }
        return process.accounts.contains { $0.filter { $0.has(provider) }.map(\.uid) == [uid] }
    }

    // MARK: Sign-ins

    private func credential() async throws -> AccountCredential {
        let machine = machine
        let provider = SimulatedProvider.ids.randomElement(using: &machine.numbers) ?? ""
        let subject = ["ada", "bob"].randomElement(using: &machine.numbers) ?? ""
        let lifetime = [5, 20, 60, 3600].randomElement(using: &machine.numbers) ?? 60 as Int64
        try await machine.pause(process, upTo: 5)
        let object = machine.provider.signIn(
            subject, at: provider, lifetime: lifetime, step: machine.step, now: machine.serverTime)
        try await machine.pause(process, upTo: 1)
        guard let access = object["access_token"]?.string, let token = SimulatedProvider.token(access) else {
            throw Killed()
        }
        machine.provider.receive(token, at: machine.now)
        let issuer = SimulatedProvider.issuer(provider)
        let idToken = object["id_token"]?.string
        let tokens = Tokens(
            accessToken: AccessToken(access), expiresAt: machine.now + lifetime, lifetime: lifetime,
            refreshToken: object["refresh_token"]?.string.map { RefreshToken($0) },
            idToken: idToken.map { RawIDToken($0) },
            idTokenExpiresAt: idToken.flatMap { machine.provider.idTokens[$0]?.expiresAt }, idTokenLifetime: lifetime,
            tokenOrigin: issuer)
        return AccountCredential(
            identity: Identity(
                key: IdentityKey(providerID: provider, authority: issuer, federatedID: subject),
                email: "\(subject)@\(provider)", isEmailVerified: true),
            grant: Grant(
                providerID: provider, issuer: issuer, clientID: SimulatedProvider.clientID, tokens: tokens,
                subject: subject, authenticatedAt: nil, lastProvenAt: machine.now, source: .browser),
            profile: JSONObject())
    }

    private func checkStored(_ credential: AccountCredential, of account: Account) {
        guard !process.isKilled,
            let token = credential.grant.accessToken.flatMap({ SimulatedProvider.token($0.revealed()) })
        else { return }
        machine.note("process \(number): sign-in \(token.family) of \(account.uid)")
        if !machine.wasStored(token.family) { machine.fail("sign-in \(token.family) was not stored") }
    }

    // MARK: The connections of this process

    private func services(_ directory: LocalDirectory) -> SessionServices {
        let clock = machine.clock(of: process)
        let services = Services(
            transport: Transport(machine: machine, process: process), clock: clock, random: machine.random)
        return SessionServices(
            directory: directory, clock: clock, lockDirectory: machine.directory,
            client: { id in
                try await ProviderClient.resolve(
                    try SimulatedProvider.entry(id), keys: ClientKeys(), services: services)
            })
    }

    /// The network. A request or its response can be lost, and other processes continue during a transfer.
    private struct Transport: HTTPTransport {
        let machine: Machine
        let process: SimulatedProcess

        func send(_ request: TransportRequest) async throws(HTTPError) -> TransportResponse {
            let result: Result<TransportResponse, HTTPError>
            do throws(Killed) { result = try await answer(request) } catch { throw .cancelled }
            return try result.get()
        }

        private func answer(_ request: TransportRequest) async throws(Killed) -> Result<TransportResponse, HTTPError> {
            guard !process.isKilled else { throw Killed() }
            let chances = machine.chances
            switch request.url.path {
            case "/.well-known/openid-configuration":
                return .success(machine.provider.metadata(request.url.origin.originWithoutPort))
            case "/jwks":
                let isMissing = machine.numbers.chance(chances.keysMissing)
                return .success(isMissing ? TransportResponse(status: 404) : machine.provider.keys())
            default: break
            }
            try await machine.pause(process, upTo: 2)
            let origin = request.url.origin
            let lost =
                [
                    HTTPError.noResponse(origin: origin, reason: "lost"),
                    .connectionLost(origin: origin, reason: "lost"),
                    .timedOut(origin: origin),
                ].randomElement(using: &machine.numbers) ?? .cancelled
            if request.url.path == "/token" { process.send(SimulatedProvider.sentToken(request), machine.fail) }
            if machine.numbers.chance(chances.lost) { return failure(lost) }
            if machine.numbers.chance(chances.refused) { return .success(TransportResponse(status: 503)) }
            guard request.url.path == "/token" else {
                let response = machine.provider.revoke(request)
                try await machine.pause(process, upTo: 1)
                return .success(response)
            }
            let fault: SimulatedProvider.Fault =
                machine.numbers.chance(chances.untyped)
                ? .untyped : machine.numbers.chance(chances.foreign) ? .foreign : .none
            // A response with another user's tokens to an unproven refresh token: it is discarded.
            if fault == .foreign, let sent = SimulatedProvider.sentToken(request),
                machine.storedGeneration(sent.family) < sent.generation
            {
                machine.provider.excuse(sent)
            }
            let (response, rotation) = machine.provider.refresh(
                request, hasIDToken: machine.numbers.chance(0.5), fault, step: machine.step, now: machine.serverTime)
            let outcome = rotation.map { "\($0.family)-\($0.generation)" } ?? "refused"
            machine.note("process \(process.number) refreshes: \(outcome)")
            process.rotation = rotation
            process.hasReceived = false
            try await machine.pause(process, upTo: 2)
            guard let rotation else { return .success(response) }
            if machine.numbers.chance(chances.lost) {
                machine.note("the response is lost: \(lost)")
                machine.provider.lose(rotation, at: machine.serverTime)
                return failure(lost)
            }
            process.hasReceived = true
            machine.provider.receive(rotation, at: machine.now)
            return .success(response)
        }

        private func failure(_ lost: HTTPError) -> Result<TransportResponse, HTTPError> {
            if case .noResponse = lost { process.mayRepeat = true }
            return .failure(lost)
        }
    }
}

extension String {
    /// `HTTPURL.origin` always contains the port, but an issuer does not.
    fileprivate var originWithoutPort: String { hasSuffix(":443") ? String(dropLast(4)) : self }
}

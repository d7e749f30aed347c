/// Waits for the user: at the listener, at the terminal, or on another device. The first response wins.
struct CallbackWaiter: Sendable {
    let client: any AuthorizationClient
    /// The client's device flow runs at the same time: from the start if it has begun, otherwise when the user presses a
    /// key.
    var deviceAuthorization: DeviceAuthorization?
    private var interface: any SignInInterface { client.interface }
    private var request: SignInRequest { client.request }

    enum Outcome: Sendable {
        case parameters(CallbackParameters, source: Grant.Source)
        case device(DeviceFlow, TokenResponse)
    }

    private enum Event: Sendable {
        case ended(Result<Outcome, any Error>)
        case pasted(String)
    }

    private typealias Events = AsyncStream<Event>.Continuation

    private static let deviceKey = "d"

    /// - Parameter listener: nil if the response can only be pasted.
    func wait(for sent: any SentAuthorization, at listener: LoopbackListener?) async throws -> Outcome {
        let (page, url) = (page(sent, hasListener: listener != nil), sent.url.text)
        // The run is non-interactive, so no URL is printed.
        if page.requiresBrowser, !interface.hasBrowser { throw SignInError.noBrowser }
        let (arrivals, events) = AsyncStream.makeStream(of: Event.self)
        listener?.start(
            isAwaited: { sent.accepts($0) },
            deliver: { events.yield(.ended(CallbackWaiter.outcome(of: $0, to: sent))) })
        await interface.show(page)
        // A browser exists, but cannot be started.
        if page.opensBrowser, await !interface.openBrowser(url), page.requiresBrowser { throw SignInError.noBrowser }
        let watchers = watchers(page, hasListener: listener != nil, to: events)
        var polling = deviceAuthorization.map { poll($0, events) }
        defer { for watcher in watchers + [polling] { watcher?.cancel() } }
        for await arrival in arrivals {
            switch arrival {
            case .ended(let result): return try result.get()
            case .pasted(let line) where page.offersDevice && line.trimmingSpaces() == CallbackWaiter.deviceKey:
                guard polling == nil, let authorization = await client.device?.beginOrShowError() else { continue }
                await interface.show(device: authorization)
                polling = poll(authorization, events)
            case .pasted(let line):
                switch PastedResponse(line, to: sent) {
                case .callback(let parameters): return .parameters(parameters, source: .paste)
                case .other(let fault): await interface.show(notTheCallback: fault, redirectURI: sent.redirectURI)
                }
            }
        }
        throw CancellationError()
    }

    private static func outcome(
        of parameters: CallbackParameters, to sent: any SentAuthorization
    ) -> Result<Outcome, any Error> {
        parameters.responseMode == sent.responseMode
            ? .success(.parameters(parameters, source: .browser))
            : .failure(OAuthError.invalidResponse(.notByMode(sent.responseMode), at: .authorization))
    }

    private func page(_ sent: any SentAuthorization, hasListener: Bool) -> AuthorizationPage {
        let acceptsPaste = request.acceptsPaste || !hasListener
        return AuthorizationPage(
            url: sent.url.text, redirectURI: sent.redirectURI, acceptsPaste: acceptsPaste, device: deviceAuthorization,
            offersDevice: deviceAuthorization == nil && acceptsPaste && client.device?.isOffered == true,
            opensBrowser: request.opensBrowser && hasListener,
            urlExpiresIn: sent.urlExpiresIn.flatMap { $0 < Int64(request.timeout) ? $0 : nil })
    }

    private func watchers(
        _ page: AuthorizationPage, hasListener: Bool, to events: Events
    ) -> [Task<Void, any Error>?] {
        [
            Task {
                try await client.clock.sleep(Double(request.timeout))
                events.yield(.ended(.failure(SignInError.timedOut(seconds: request.timeout))))
            },
            Task { if hasListener { try await showCountdown(page.urlExpiresIn) } },
            Task { if page.acceptsPaste { await readPastedLines(endsWithInput: !hasListener, events) } },
        ]
    }

    /// - Parameter endsWithInput: whether the end of standard input ends the sign-in, unlike in a browser flow.
    private func readPastedLines(endsWithInput: Bool, _ events: Events) async {
        var isResponsePasted = false
        for await line in interface.pastedLines() where !line.trimmingSpaces().isEmpty {
            let pasted = CallbackParameters(pasted: line)
            isResponsePasted = isResponsePasted || pasted.has("code") || pasted.has("error")
            events.yield(.pasted(line))
        }
        guard endsWithInput else { return }
        events.yield(.ended(.failure(isResponsePasted ? OAuthError.stateMismatch : SignInError.emptyInput)))
    }

    private func poll(_ authorization: DeviceAuthorization, _ events: Events) -> Task<Void, any Error> {
        Task {
            guard let device = client.device else { return }
            do {
                events.yield(.ended(.success(.device(device, try await device.poll(authorization)))))
            } catch SignInError.timedOut {
                // After the code expires, the user can still use the browser or paste the URL.
            } catch { events.yield(.ended(.failure(error))) }
        }
    }

    private func showCountdown(_ urlExpiresIn: Int64?) async throws {
        var left = Int64(request.timeout)
        if let urlExpiresIn {
            let countdown = Task { await interface.showCountdown(secondsLeft: urlExpiresIn) }
            defer { countdown.cancel() }
            try await client.clock.sleep(Double(urlExpiresIn))
            countdown.cancel()
            await countdown.value
            await interface.showURLExpired()
            left -= urlExpiresIn
        }
        await interface.showCountdown(secondsLeft: left)
    }
}

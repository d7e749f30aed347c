/// Waits for the user: at the listener, at the terminal, or on another device. The first response wins.
struct CallbackWaiter {
    let interface: any SignInInterface
    let clock: Clock
    let request: SignInRequest

    enum Outcome: Sendable {
        case parameters(CallbackParameters, source: Grant.Source)
        case device(TokenEndpoint.Response)
    }

    struct Device: Sendable {
        var begun: DeviceAuthorization?
        var begin: (@Sendable () async -> DeviceAuthorization?)?
        var poll: @Sendable (DeviceAuthorization) async throws -> TokenEndpoint.Response
    }

    private enum Event: Sendable {
        case callback(CallbackParameters)
        case pasted(String)
        case device(Result<TokenEndpoint.Response, any Error>)
        case endOfInput
        case timeout
    }

    private static let deviceKey = "d"

    /// - Parameters:
    ///   - urlExpiresIn: seconds until the URL expires; nil if unknown.
    ///   - listener: nil if the response can only be pasted.
    func callAsFunction(
        _ url: String, urlExpiresIn: Int64? = nil, redirectURI: String, at listener: LoopbackListener?,
        _ device: Device? = nil, isAwaited: @escaping @Sendable (CallbackParameters) -> Bool
    ) async throws -> Outcome {
        let acceptsPaste = request.acceptsPaste || listener == nil
        let opensBrowser = request.opensBrowser && listener != nil
        if opensBrowser, !interface.hasBrowser, device?.begun == nil, !acceptsPaste {
            // The run is non-interactive, so no URL is printed.
            throw SignInError.noBrowser
        }
        let (arrivals, arrive) = AsyncStream.makeStream(of: Event.self)
        try await listener?.start(isAwaited: isAwaited, deliver: { arrive.yield(.callback($0)) })
        let begun = device?.begun
        let offersDevice = begun == nil && acceptsPaste && device?.begin != nil
        await interface.show(
            AuthorizationPage(
                url: url, redirectURI: redirectURI, acceptsPaste: acceptsPaste, device: begun,
                offersDevice: offersDevice, opensBrowser: opensBrowser, urlExpiresIn: shorter(urlExpiresIn)))
        if opensBrowser, await !interface.openBrowser(url), begun == nil, !acceptsPaste {
            // A browser exists, but cannot be started.
            throw SignInError.noBrowser
        }
        func polling(_ authorization: DeviceAuthorization) -> Task<Void, any Error> {
            Task {
                guard let device else { return }
                do { arrive.yield(.device(.success(try await device.poll(authorization)))) } catch {
                    arrive.yield(.device(.failure(error)))
                }
            }
        }
        var watchers = [
            Task {
                try await clock.sleep(Double(request.timeout))
                arrive.yield(.timeout)
            },
            Task { if listener != nil { try await showCountdown(shorter(urlExpiresIn)) } },
            Task {
                guard acceptsPaste else { return }
                for await line in interface.pastedLines() where !line.trimmingSpaces().isEmpty {
                    arrive.yield(.pasted(line))
                }
                // The end of standard input does not end a browser flow.
                if listener == nil { arrive.yield(.endOfInput) }
            },
        ]
        if let begun { watchers.append(polling(begun)) }
        defer { for watcher in watchers { watcher.cancel() } }
        var hasDevice = begun != nil
        var isResponsePasted = false
        for await arrival in arrivals {
            switch arrival {
            case .callback(let parameters): return .parameters(parameters, source: .browser)
            case .pasted(let line) where offersDevice && line.trimmingSpaces() == CallbackWaiter.deviceKey:
                guard !hasDevice, let begun = await device?.begin?() else { continue }
                hasDevice = true
                watchers.append(polling(begun))
            case .pasted(let line):
                switch PastedResponse(line, at: redirectURI, isAwaited) {
                case .callback(let parameters): return .parameters(parameters, source: .paste)
                case .other(let fault):
                    let pasted = CallbackParameters(pasted: line)
                    isResponsePasted = isResponsePasted || pasted.has("code") || pasted.has("error")
                    await interface.show(notTheCallback: fault, redirectURI: redirectURI)
                }
            case .endOfInput: throw isResponsePasted ? OAuthError.stateMismatch : SignInError.emptyInput
            case .device(.success(let response)): return .device(response)
            case .device(.failure(let error)):
                // After the code expires, the user can still use the browser or paste the URL.
                guard case SignInError.timedOut = error else { throw error }
            case .timeout: throw SignInError.timedOut(seconds: request.timeout)
            }
        }
        throw CancellationError()
    }

    private func shorter(_ seconds: Int64?) -> Int64? { seconds.flatMap { $0 < Int64(request.timeout) ? $0 : nil } }

    private func showCountdown(_ urlExpiresIn: Int64?) async throws {
        let all = Int64(request.timeout)
        guard let urlExpiresIn else { return await interface.showCountdown(secondsLeft: all) }
        let countdown = Task { await interface.showCountdown(secondsLeft: urlExpiresIn) }
        defer { countdown.cancel() }
        try await clock.sleep(Double(urlExpiresIn))
        countdown.cancel()
        await countdown.value
        await interface.showURLExpired()
        await interface.showCountdown(secondsLeft: all - urlExpiresIn)
    }

    func pasted(
        _ url: String, urlExpiresIn: Int64? = nil, redirectURI: String,
        isAwaited: @escaping @Sendable (CallbackParameters) -> Bool
    ) async throws -> CallbackParameters {
        let outcome = try await self(
            url, urlExpiresIn: urlExpiresIn, redirectURI: redirectURI, at: nil, isAwaited: isAwaited)
        guard case .parameters(let parameters, _) = outcome else { throw CancellationError() }
        return parameters
    }
}

extension LoopbackListener {
    /// Shows the browser how the sign-in ended.
    func showingResult(
        _ interface: any SignInInterface, after work: @Sendable () async throws -> SignInResult
    ) async throws -> SignInResult {
        let result: Result<SignInResult, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        await finish(interface.landingPage(after: result))
        return try result.get()
    }
}

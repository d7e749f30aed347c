import AuthCore

/// Shows the sign-in to the user at this terminal.
struct TerminalInterface: SignInInterface {
    let context: Context
    let providerID: String
    private let shared: SharedState

    private var output: Output { context.output }
    private var screen: Screen { .standardError(context.environment) }

    private struct State {
        var page: SignInPage
        /// The lines on the screen, and the output before them.
        var drawn: [[Cell]] = []
        var outputBefore = 0
        /// When the waiting ends, in seconds since 1970.
        var end: Int64 = 0
    }

    private final class SharedState: Sendable {
        let state: Lock<State>
        init(_ state: State) { self.state = Lock(state) }
    }

    init(context: Context, providerID: String, clientID: String, target: SignInToResource.Target?) {
        (self.context, self.providerID) = (context, providerID)
        var page = SignInPage(provider: context.names(of: []).provider(providerID), clientID: clientID, target: target)
        page.readsKeys = Screen.standardError(context.environment).isTerminal && Prompt.canRead
        page.hasBrowser = Browser(environment: context.environment).program != nil
        page.isVerbose = context.settings.verbose
        shared = SharedState(State(page: page))
    }

    private var page: SignInPage { shared.state.withLock { $0.page } }

    // MARK: Output

    func show(_ page: AuthorizationPage) async {
        change { state in
            (state.page.url, state.page.code) = (page, page.device)
            state.page.content = page.opensBrowser && state.page.hasBrowser ? .browser : .url
            if page.device != nil { state.page.content = .code }
            state.end = timeout
        }
    }

    func show(device: DeviceAuthorization) async {
        guard screen.isTerminal else {
            return plain(
                SignInPage(provider: context.names(of: []).provider(providerID), clientID: page.clientID, code: device))
        }
        change { state in
            (state.page.code, state.page.content) = (device, .code)
            if state.page.url == nil { state.end = device.expiresIn.map { min($0 + now, timeout) } ?? timeout }
        }
    }

    private var now: Int64 { context.clock.now() }
    private var timeout: Int64 { now + Int64(context.settings.timeout) }

    private func plain(_ page: SignInPage) {
        let timeout = Int64(context.settings.timeout)
        let isOnlyCode = page.url == nil
        let seconds = min(isOnlyCode ? page.code?.expiresIn ?? timeout : timeout, timeout)
        // The pasted URL contains the authorization code.
        if page.url?.acceptsPaste == true { Prompt.hideEcho() }
        for line in page.plainLines(seconds: seconds) { output.prompt(line) }
    }

    private func change(_ change: (inout State) -> Void) {
        let screen = self.screen
        shared.state.withLock { state in
            change(&state)
            guard screen.isTerminal else { return plain(state.page) }
            if state.page.readsKeys { Prompt.hideEcho(ofKeys: screen.isRewritable) }
            // After other output, the page is not replaced, but printed again.
            let isLast = screen.isRewritable && state.outputBefore == Output.count
            let lines = state.page.lines(on: screen)
            output.prompt(lines, on: screen, replacing: isLast ? Paragraph.rows(state.drawn, on: screen) : 0)
            (state.drawn, state.outputBefore) = (lines, Output.count)
            if output.hasCountdown(on: screen) { return count(state) }
            if state.page.readsKeys { for line in waiting(state, on: screen) { output.prompt(line) } }
        }
    }

    private func waiting(_ state: State, on screen: Screen) -> [String] {
        state.page.waiting(RelativeTime.clock(max(0, state.end - now)), on: screen)
    }

    private func count(_ state: State) { output.countdown(waiting(state, on: screen), on: screen) }

    func show(deviceRefused error: any Error) async {
        let failure = Failure(
            error,
            while: ErrorContext("the device flow is not available", provider: providerID))
        output.note(failure.message)
    }

    func show(notTheCallback fault: PastedResponseFault, redirectURI: String) async {
        output.prompt("Invalid input: \(fault.message(at: redirectURI)). Still waiting.")
    }

    func showURLExpired() async {
        output.prompt("The URL above has expired. If the page is already open, the sign-in can still be completed.")
    }

    func showCountdown(secondsLeft: Int64) async {
        let screen = self.screen
        let isRead = page.url?.acceptsPaste == true
        // If pasted lines are not read elsewhere, reads the keys.
        let reading = Task {
            guard !isRead, page.readsKeys else { return }
            for await _ in pastedLines() {}
        }
        defer { reading.cancel() }
        let isSpoken = screen.isAccessible && output.isSeen
        guard isSpoken || output.hasCountdown(on: screen) else {
            return await withTaskCancellationHandler {
                await reading.value
            } onCancel: {
                reading.cancel()
            }
        }
        let end = now + secondsLeft
        shared.state.withLock { $0.end = end }
        while !Task.isCancelled, end > now {
            if !isSpoken { shared.state.withLock { count($0) } }
            try? await Task.sleep(for: .seconds(isSpoken ? 30 : 1))
            if isSpoken, !Task.isCancelled { output.prompt("Waiting, \(RelativeTime.clock(end - now)) left.") }
        }
    }

    // MARK: Input

    func confirms(_ number: String) async throws -> Bool {
        try output.ask("Number that the browser shows (n if none): ") { typed in
            if ["n", "no"].contains(typed.lowercased()) { return false }
            guard typed == number else { throw InvalidInput("the browser shows another number") }
            return true
        } ?? false
    }

    var hasBrowser: Bool { page.hasBrowser }

    var isRemote: Bool { context.environment.isRemote }

    func openBrowser(_ url: String) -> Bool {
        let browser = Browser(environment: context.environmentOfPrograms)
        guard screen.isTerminal else {
            guard browser.open(url) else { return false }
            output.note("opened a browser")
            return true
        }
        // With a code on the screen, the user opens the page.
        guard page.content == .browser else { return page.content == .code }
        @Sendable func showURL() { if page.content == .browser { change { $0.page.content = .url } } }
        let isOpen = browser.open(url, failed: showURL)
        if !isOpen { showURL() }
        return isOpen
    }

    func pastedLines() -> AsyncStream<String> {
        let screen = self.screen
        guard screen.isTerminal else { return Prompt.lines() }
        return Prompt.lines(keys: screen.isRewritable ? ["d", "u", "\n"] : []) { isKey($0.trimmingSpaces()) }
    }

    /// Whether the line is a key of the page, or a key that the page does not have.
    private func isKey(_ line: String) -> Bool {
        let page = self.page
        switch line {
        case "u": if page.url != nil, page.content != .url { change { $0.page.content = .url } }
        case "d" where page.code == nil: return page.url?.offersDevice != true
        case "d": if page.content != .code { change { $0.page.content = .code } }
        case "", "\n":
            guard page.opensPage, let code = page.code else { return true }
            let url = (code.completeURL ?? code.verificationURL).text
            if !Browser(environment: context.environmentOfPrograms).open(url) {
                output.prompt("No browser can be started.")
            }
        default: return false
        }
        return true
    }
}

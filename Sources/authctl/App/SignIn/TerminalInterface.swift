import AuthCore

/// Shows the sign-in to the user at this terminal.
struct TerminalInterface: SignInInterface {
    let context: Context
    let providerID: String
    let clientID: String
    private let keyTargets = KeyTargets()

    private var output: Output { context.output }
    private var screen: Screen { .standardError(context.environment) }
    private var canReadKeys: Bool { screen.isRewritable && Prompt.canRead }

    private final class KeyTargets: Sendable {
        struct Values {
            var text: String?
            var url: String?
            /// The whole page, while only a line about the browser is shown.
            var folded: SignInPage?
            var isRead = false
        }

        let values = Lock(Values())
    }

    // MARK: Output

    func show(_ page: AuthorizationPage) async {
        keyTargets.values.withLock {
            $0.text = page.device?.userCode ?? page.url
            $0.url = page.url
            $0.isRead = page.acceptsPaste
        }
        let shown = SignInPage(
            providerID: providerID, clientID: clientID, seconds: Int64(context.settings.timeout), url: page,
            code: page.device)
        show(shown, hasKeys: page.acceptsPaste, opens: page.opensBrowser)
    }

    func show(device: DeviceAuthorization) async {
        let timeout = Int64(context.settings.timeout)
        let readsKeys = keyTargets.values.withLock { values in
            values.text = device.userCode
            values.url = values.url ?? (device.completeURL ?? device.verificationURL).text
            return values.isRead
        }
        let shown = SignInPage(
            providerID: providerID, clientID: clientID, seconds: min(device.expiresIn ?? timeout, timeout), code: device
        )
        show(shown, hasKeys: readsKeys || canReadKeys, opens: readsKeys)
    }

    private func show(_ shown: SignInPage, hasKeys: Bool, opens: Bool) {
        let screen = self.screen
        var shown = shown
        if hasKeys, screen.isRewritable {
            if screen.hasClipboard { shown.keys.append(.copy) }
            if hasBrowser, !opens { shown.keys.append(.open) }
            if shown.url?.offersDevice == true { shown.keys.append(.device) }
        }
        // The pasted URL contains the authorization code.
        if hasKeys { Prompt.hideEcho() }
        if opens, hasKeys, screen.isRewritable, shown.code == nil {
            keyTargets.values.withLock { $0.folded = shown }
            return output.prompt(shown.openingLines(on: screen), on: screen)
        }
        draw(shown, on: screen)
    }

    private func draw(_ shown: SignInPage, on screen: Screen) {
        let lines = shown.lines(on: screen, counts: output.hasCountdown(on: screen)) { text in
            // A QR code for phones, if the terminal can show it.
            screen.hasColours && screen.hasUnicode ? QRCode(text)?.lines : nil
        }
        output.prompt(lines, on: screen)
    }

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
        let isRead = keyTargets.values.withLock { $0.isRead }
        // If pasted lines are not read elsewhere, reads the keys.
        let reading = Task {
            guard !isRead, canReadKeys else { return }
            for await _ in pastedLines() {}
        }
        defer { reading.cancel() }
        let isSpoken = screen.isAccessible && output.isSeen
        guard isSpoken || output.hasCountdown(on: screen) else { return await reading.value }
        let end = context.clock.now() + secondsLeft
        while !Task.isCancelled, end > context.clock.now() {
            let left = RelativeTime.clock(end - context.clock.now())
            let line = "Waiting for the sign-in, \(left) left. Press Ctrl-C to cancel."
            if isSpoken { output.prompt(line) } else { output.countdown(line, on: self.screen) }
            try? await Task.sleep(for: .seconds(isSpoken ? 30 : 1))
        }
    }

    // MARK: Input

    var hasBrowser: Bool { Browser(environment: context.environment).program != nil }

    var isRemote: Bool { context.environment.isRemote }

    func openBrowser(_ url: String) -> Bool {
        guard Browser(environment: context.environmentOfPrograms).open(url) else {
            unfold()
            return false
        }
        if keyTargets.values.withLock({ $0.folded == nil }) { output.note("opened a browser") }
        return true
    }

    private func unfold() {
        let folded = keyTargets.values.withLock { $0.folded.take() }
        if let folded { draw(folded, on: screen) }
    }

    func pastedLines() -> AsyncStream<String> {
        let screen = self.screen
        let keys: Set<Character> = screen.isRewritable ? Set("codu") : []
        return Prompt.lines(keys: keys) { line in
            let values = keyTargets.values.withLock { $0 }
            switch SignInPage.Key(rawValue: line.count == 1 ? Character(line) : " ") {
            case .copy where screen.hasClipboard:
                guard let text = values.text else { return false }
                output.copy(text, on: screen)
                output.note("copied to the clipboard")
                return true
            case .url where values.folded != nil:
                unfold()
                return true
            case .open:
                if let url = values.url, !openBrowser(url) { output.note("no browser can be opened") }
                return true
            default: return false
            }
        }
    }
}

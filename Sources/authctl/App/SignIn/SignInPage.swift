import AuthCore

/// What a sign-in shows while it waits for the user.
struct SignInPage {
    enum Content { case browser, code, url }

    let provider: String
    let clientID: String
    /// The protected resource that the tokens are for.
    var target: SignInToResource.Target?
    var url: AuthorizationPage?
    var code: DeviceAuthorization?
    var content = Content.url
    var readsKeys = false
    var hasBrowser = false
    var isVerbose = false

    // MARK: On a terminal

    func lines(on screen: Screen) -> [[Cell]] {
        func prose(_ text: String) -> [[Cell]] { Paragraph.lines(text, on: screen) }
        var lines = title.flatMap(prose) + [[]]
        if content == .url, let url {
            lines += [[Cell(url.url, as: .important, link: url.url)], []]
            let host = (try? HTTPURL(url.redirectURI))?.host ?? url.redirectURI
            lines +=
                !url.acceptsPaste
                ? []
                : prose(
                    "If the browser then shows an error for \(host), copy the address of that page and paste it here.")
        }
        guard content == .code, let code else { return lines }
        let page = code.verificationURL.text
        let rows = [("Open", Cell(page, as: .important, link: page)), ("Enter", Cell(code.userCode, as: .important))]
        let table = Table.lines(rows.map { [Cell("  " + $0.0), $0.1] }, on: Screen())
        let isNarrow = screen.columns.map { columns in columns < 60 || table.contains { $0.width > columns } } ?? false
        lines += isNarrow ? rows.flatMap { [[Cell($0.0)], [$0.1]] } : table
        if screen.isAccessible { lines.append([Cell("Spelled: \(code.spelled)")]) }
        lines += [[]] + prose("Enter this code only if you started this sign-in yourself.")
        return isVerbose && !clientID.isEmpty ? lines + [[Cell("Client ID: \(clientID)")]] : lines
    }

    private var title: [String] {
        let host = url.flatMap { try? HTTPURL($0.url) }?.host ?? provider
        guard let target else {
            switch content {
            case .browser: return ["Sign in to \(provider) in your browser. A page of \(host) was opened."]
            case .code: return ["Sign in to \(provider) on any device:"]
            case .url: return ["Sign in to \(provider). Open this URL on any computer:"]
            }
        }
        let scopes =
            target.requestedScopes.isEmpty ? "its default scopes" : target.requestedScopes.joined(separator: " ")
        let purpose = ["Sign in to \(target.resource.text) at \(target.issuer.host)", "It asks for: \(scopes)"]
        switch content {
        case .browser: return purpose + ["A page of \(host) was opened in your browser."]
        case .code: return purpose + ["On any device:"]
        case .url: return purpose + ["Open this URL on any computer:"]
        }
    }

    /// The last lines: the remaining time, and the keys.
    func waiting(_ left: String, on screen: Screen) -> [String] {
        // Without keys that are read at once, a key is a line.
        let enter = screen.isRewritable ? "" : "+Enter"
        let long = keys.map { "\($0.name)\($0.name == "Enter" ? "" : enter): \($0.long)" } + ["Ctrl-C: cancel"]
        let line = "Waiting, \(left) left. \(long.joined(separator: "  "))"
        guard let columns = screen.columns, TextWidth.of(line) >= columns else { return [line] }
        let short = keys.map { "\($0.name) \($0.short)" } + ["Ctrl-C cancel"]
        return ["Waiting, \(left) left.", short.joined(separator: "  ")]
    }

    private var keys: [(name: String, long: String, short: String)] {
        guard readsKeys else { return [] }
        var keys: [(name: String, long: String, short: String)] = []
        if opensPage { keys.append(("Enter", "open the page here", "open")) }
        if url != nil, content != .url { keys.append(("u", content == .code ? "use a URL" : "show the URL", "URL")) }
        if content != .code, code != nil || url?.offersDevice == true { keys.append(("d", "use a code", "code")) }
        return keys
    }

    var opensPage: Bool { content == .code && hasBrowser }

    // MARK: Without a terminal

    /// - Parameter seconds: until the timeout.
    func plainLines(seconds: Int64) -> [String] {
        var lines: [String] = []
        if let url {
            let waiting = url.urlExpiresIn.map { "valid for \($0) s" } ?? "waiting \(seconds) s"
            let browser = code == nil ? "" : " in a browser"
            // The URL comes first, because programs look for it.
            lines += ["To sign in to '\(provider)'\(browser), visit this URL (\(waiting)):", "", "  \(url.url)", ""]
            if url.acceptsPaste {
                lines.append(
                    "If the browser cannot reach this machine, paste the callback URL, which begins with \(url.redirectURI)?, then press Enter."
                )
                if code == nil, url.offersDevice {
                    lines.append("To use a code on another device, type d, then Enter.")
                }
                lines.append("")
            }
        }
        guard let code else { return lines }
        let start = url == nil ? "To sign in to '\(provider)'" : "Or"
        let client = clientID.isEmpty ? "" : " as the client '\(clientID)',"
        let warning = "Never enter a code that someone sent you: they would be signed in as you."
        lines += ["\(start)\(client) on any device within \(RelativeTime.span(seconds)):", "", warning, ""]
        lines += ["  visit  \(code.verificationURL.text)", "  enter  \(code.userCode)"]
        return lines + (code.completeURL.map { ["  or visit  \($0.text)"] } ?? []) + [""]
    }
}

extension DeviceAuthorization {
    /// The code for a screen reader, which would read it as a word: `W D J B, M J H T`.
    fileprivate var spelled: String {
        userCode.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }.joined(separator: ", ")
    }
}

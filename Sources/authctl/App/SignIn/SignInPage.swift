import AuthCore

/// The sign-in instructions for a screen. The URL and the code are the last lines, and with few rows the explanations
/// are shortened.
struct SignInPage {
    let providerID: String
    let clientID: String
    /// Seconds until the timeout.
    let seconds: Int64
    var url: AuthorizationPage?
    var code: DeviceAuthorization?
    var keys: [Key] = []

    enum Key: Character {
        case copy = "c"
        case open = "o"
        case device = "d"
        case url = "u"
    }

    /// The short page while a browser opens.
    func openingLines(on screen: Screen) -> [[Cell]] {
        let device = url?.offersDevice == true ? ", d for a code" : ""
        return ["Opening \(providerID) in your browser …", "Browser did not open? Press \(meaning(.url))\(device)."]
            .flatMap { Paragraph.lines($0, on: screen) }
    }

    func lines(on screen: Screen, counts: Bool, qr: (String) -> [String]? = { _ in nil }) -> [[Cell]] {
        // One line for the countdown, and one for the message about the browser.
        let free = screen.rows.map { $0 - 2 }
        func fits(_ lines: [[Cell]]) -> Bool { free.map { Paragraph.rows(lines, on: screen) <= $0 } ?? true }
        let drawn = code.flatMap { qr(($0.completeURL ?? $0.verificationURL).text) }.map {
            $0.map { [Cell($0, as: .printed)] }
        }
        if let drawn, let first = drawn.first, Paragraph.rows([first], on: screen) == 1 {
            let all = layout(on: screen, counts: counts, qr: drawn)
            if fits(all) { return all }
        }
        let whole = layout(on: screen, counts: counts)
        return fits(whole) ? whole : layout(on: screen, counts: counts, isShort: true)
    }

    private func layout(on screen: Screen, counts: Bool, isShort: Bool = false, qr: [[Cell]] = []) -> [[Cell]] {
        let space: [[Cell]] = isShort ? [] : [[]]
        func prose(_ text: String) -> [[Cell]] { text.isEmpty ? [] : Paragraph.lines(text, on: screen) }
        let within = counts ? "" : " within \(RelativeTime.span(seconds))"
        var lines: [[Cell]] = []
        if let url {
            let begin = isShort ? "" : ", which begins with \(url.redirectURI)?"
            let how =
                url.acceptsPaste
                ? "If the browser cannot reach this machine, paste the callback URL\(begin), then press Enter." : ""
            let keys = code == nil ? prose(keysText(hasKeys: screen.isRewritable)) : []
            let explanation = prose(how) + keys + (how.isEmpty ? [] : space)
            let waiting = counts ? "" : url.urlExpiresIn.map { " (valid for \($0) s)" } ?? " (waiting \(seconds) s)"
            let browser = code == nil ? "" : " in a browser"
            var visit = prose("To sign in to '\(providerID)'\(browser), visit this URL\(waiting):") + space
            visit += Paragraph.whole([[Cell(url.url, link: url.url)]], on: screen) + space
            // A single URL is the last line on a screen. With a code below, both are together. If the output is not a
            // screen, the URL comes first, because programs look for it.
            lines += code == nil && screen.columns != nil ? explanation + visit : visit + explanation
        }
        if let code {
            let start = url == nil ? "To sign in to '\(providerID)'" : "Or"
            let client = clientID.isEmpty || isShort && url != nil ? "" : " as the client '\(clientID)',"
            lines += prose("\(start)\(client) on any device\(within):")
            lines += qr.isEmpty ? [] : space + qr
            lines += space + prose("Never enter a code that someone sent you: they would be signed in as you.")
            lines += prose(keysText(hasKeys: screen.isRewritable)) + space
            let visit = code.verificationURL.text
            var rows: [[Cell]] = [["visit  ", Cell(visit, link: visit)], ["enter  ", Cell(code.userCode)]]
            if screen.isAccessible { rows.append(["spelled  ", Cell(code.spelled)]) }
            if let complete = code.completeURL?.text, !isShort {
                rows.append(["or visit  ", Cell(complete, link: complete)])
            }
            lines += Paragraph.whole(rows, on: screen) + space
        }
        return lines
    }

    private func keysText(hasKeys: Bool) -> String {
        guard hasKeys else {
            return url?.offersDevice == true ? "To use a code on another device, type d, then Enter." : ""
        }
        let meanings = keys.map(meaning)
        return meanings.isEmpty ? "" : "Press \(meanings.joined(separator: ", "))."
    }

    private func meaning(_ key: Key) -> String {
        switch key {
        case .copy: "c to copy the \(code == nil ? "URL" : "code")"
        case .open: "o to open the page"
        case .device: "d for a code to enter on another device"
        case .url: "u for the URL"
        }
    }
}

extension DeviceAuthorization {
    /// The code for a screen reader, which would read it as a word: `W D J B, M J H T`.
    fileprivate var spelled: String {
        userCode.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }.joined(separator: ", ")
    }
}

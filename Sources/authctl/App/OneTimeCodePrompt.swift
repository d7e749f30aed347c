import AuthCore

/// The one-time code on a line of standard input (`--totp-stdin`). It can be read before the project asks for it.
final class OneTimeCodeLine: Sendable {
    private let ahead = Lock<OneTimeCode?>(nil)

    /// Reads the line now, so that a missing or malformed code is reported before anything is sent.
    func readAhead() throws {
        let code = try OneTimeCodeLine.read()
        ahead.withLock { $0 = code }
    }

    func next() throws -> OneTimeCode {
        let code = ahead.withLock { $0.take() }
        return try code ?? OneTimeCodeLine.read()
    }

    /// Reads the line after the password or the link.
    private static func read() throws -> OneTimeCode {
        let line = try SecretInput.line(missing: "the line with the one-time code is missing")
        guard let code = SecondFactor.code(line) else {
            throw InputProblem(what: "the one-time code", reason: "it must have 6 to 8 digits")
        }
        return code
    }
}

extension Output {
    /// Asks the user for the code of an authenticator app.
    func ask(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode? {
        if factor.isRetry { prompt("Wrong code.") }
        let names = Output.names(of: factor.apps)
        var app = 0
        if names.count > 1 {
            guard let chosen = try choose("Which authenticator app?", among: names) else { return nil }
            app = names.firstIndex(of: chosen) ?? 0
        }
        let code: OneTimeCode? = try ask("Code from \(names[app]): ", isHidden: true) { typed in
            guard let code = SecondFactor.code(typed) else { throw InvalidInput("it must have 6 to 8 digits") }
            return code
        }
        return code.map { SecondFactor.EnteredCode($0, of: app, isTyped: true) }
    }

    private static func names(of apps: [SecondFactor.App]) -> [String] {
        guard apps.count > 1 else { return apps.map { $0.name.map { "'\($0)'" } ?? "your authenticator app" } }
        return apps.enumerated().map { index, app in
            let name = app.name ?? "authenticator app"
            let isAlone = apps.filter { $0.name == app.name }.count == 1
            return isAlone && Int(name) == nil ? name : "\(name) (\(index + 1))"
        }
    }
}

import AuthCore

/// Asks a person for what an authenticator app shows.
struct OneTimeCodePrompt {
    let output: Output

    /// - Returns: nil where there is no terminal.
    /// - Throws: `CancellationError`, `NoAnswer`.
    func ask(_ factor: SecondFactor) throws -> SecondFactor.Given? {
        if factor.isAgain { output.prompt("That is not the code.") }
        let names = Self.names(of: factor.apps)
        var app = 0
        if names.count > 1 {
            guard let chosen = try output.choose("Which authenticator app?", among: names) else { return nil }
            app = names.firstIndex(of: chosen) ?? 0
        }
        let code: OneTimeCode? = try output.ask("The code that \(names[app]) shows: ", isHidden: true) { typed in
            let digits = typed.filter { $0 != " " }
            guard (6...8).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                throw NoAnswer("six digits are wanted")
            }
            return OneTimeCode(digits)
        }
        return code.map { SecondFactor.Given($0, of: app, isTyped: true) }
    }

    /// What tells them apart: the names that the person gave, and numbers where those do not.
    static func names(of apps: [SecondFactor.App]) -> [String] {
        guard apps.count > 1 else { return apps.map { $0.name.map { "'\($0)'" } ?? "your authenticator app" } }
        return apps.enumerated().map { index, app in
            let name = app.name ?? "authenticator app"
            let isAlone = apps.filter { $0.name == app.name }.count == 1
            return isAlone && Int(name) == nil ? name : "\(name) (\(index + 1))"
        }
    }
}

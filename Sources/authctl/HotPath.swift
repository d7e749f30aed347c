import AuthCore

/// A fast path for `token` in scripts, without the argument parser: parsing alone costs more than opening the store,
/// decrypting and printing the token.
///
/// Only the common spellings are handled, and only a stored token that is still valid is printed. Everything else,
/// including errors, is left to the parser and to `TokenCommand`, which prints the same.
enum HotPath {
    /// Seconds to wait for another process that writes. After that, the full path waits with its timeout.
    private static let patience = 0.25

    /// Prints the token and ends the process; returns when that is not for this path.
    static func run(_ arguments: [String]) {
        guard let (request, format) = parse(arguments),
            let context = try? Context(settings: Settings(), output: Output(settings: Settings()))
        else { return }
        guard !EnvironmentToken.isAny(in: context.environment) else { return }
        var asked = request
        asked.account = context.account
        OpenSSLStart.withoutConfiguration()
        guard let sessionStore = try? context.profile.existingSessionStore(patience: patience),
            let settings = try? context.profile.settingsMark()
        else { return }
        let found: CurrentToken.Result?
        do throws(VaultError) {
            found = try CurrentToken.stored(asked, in: sessionStore, settings: settings, clock: context.clock)
        } catch {
            let task = ErrorContext(TokenCommand.failed, provider: request.provider, again: .signIn(request.provider))
            let failure = Failure(error, while: task)
            context.output.report(failure)
            Process.exit(failure.exitCode)
        }
        // The full path explains errors.
        guard let result = found, result.binding == .bearer || !format.isForBearer else { return }
        context.output.exactly(format.text(of: result, now: context.clock.now()))
        Process.exitAtOnce()
    }

    static func parse(_ arguments: [String]) -> (CurrentToken.Request, TokenFormat)? {
        guard arguments.first == "token" else { return nil }
        var request = CurrentToken.Request()
        var format = TokenFormat.bare
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch argument {
            case "--header": format = .header
            case "--provider":
                guard let id = rest.popFirst(), !id.hasPrefix("-") else { return nil }
                request.provider = id
            case "--type":
                guard let kind = rest.popFirst().flatMap(CurrentToken.Kind.init(rawValue:)) else { return nil }
                request.kind = kind
            default: return nil
            }
        }
        return (request, format)
    }
}

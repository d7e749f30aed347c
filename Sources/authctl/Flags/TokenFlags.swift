import ArgumentParser
import AuthCore

/// Which token a command hands out, and how long it must still live.
struct TokenFlags: ParsableArguments {
    @Option(help: "Which token: access or id; a job that has only its ID token gets that one.")
    var type: CurrentToken.Kind?

    @Option(help: ArgumentHelp("Refresh when less than this is left of its life, as 90 or 5m.", valueName: "time"))
    var minTtl = TimeSpan(seconds: 60)

    func validate() throws {
        guard (0...31_536_000).contains(minTtl.seconds) else {
            throw ValidationError("--min-ttl must be 0 to 31536000 seconds")
        }
    }

    func request(_ provider: ProviderOption, _ context: Context) throws -> CurrentToken.Request {
        var request = CurrentToken.Request()
        request.account = context.account
        request.provider = try provider.id.map(context.named)
        request.kind = type
        request.minimumLifetime = minTtl.seconds
        return request
    }
}

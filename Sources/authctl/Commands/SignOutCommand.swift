import ArgumentParser
import AuthCore

struct SignOutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "signout", abstract: "Forget the session on this machine.",
        discussion: "Without --revoke the provider is not told, and its tokens live on until they expire.",
        aliases: ["logout"])

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Also revoke the refresh token, then the access token, at the provider.")
    var revoke = false

    @Flag(help: "Also open the provider's logout page.")
    var endSession = false

    @Flag(help: "Sign out every account.")
    var all = false

    var task: Undertaking { Undertaking("not signed out", again: "authctl signout") }

    func run(_ context: Context) async throws {
        var request = SignOut.Request()
        request.account = context.account
        request.all = all
        request.revokes = revoke
        request.endsSession = endSession
        let entries = try await SignOut(context.profile)(request)
        context.output.result(["signedOut": .array(entries.map(json))]) { [] }
        for entry in entries { try await say(entry, context) }
        if revoke, entries.contains(where: { $0.revoked == .failed }) {
            throw RevocationFailed(providers: entries.filter { $0.revoked == .failed }.map(\.providerID))
        }
    }

    private func json(_ entry: SignOut.Entry) -> JSONValue {
        [
            "uid": .string(entry.uid), "providerId": .string(entry.providerID),
            "revoked": .string(entry.revoked.rawValue),
        ]
    }

    /// Seconds that a browser may take to start.
    private static let browserPatience = 30.0

    private func say(_ entry: SignOut.Entry, _ context: Context) async throws {
        let told =
            switch entry.revoked {
            case .confirmed: "the provider confirmed that its tokens are revoked"
            case .failed: "the provider did not confirm the revocation: its tokens may live on"
            case .unsupported: "the provider cannot revoke tokens: they live until they expire"
            case .notAsked: "the provider was not told; --revoke does that"
            }
        context.output.note("signed out of '\(entry.providerID)'; \(told)")
        guard endSession else { return }
        guard let url = entry.endSessionURL else {
            return context.output.note("'\(entry.providerID)' has no logout page")
        }
        // The URL holds the ID token as a hint, so it is neither printed nor in a program's arguments.
        let browser = Browser(environment: context.environmentOfPrograms)
        let hasCome =
            !context.isUnattended && browser.program != nil
            ? try await OneTimeRedirect.send(
                to: url, timeout: SignOutCommand.browserPatience, clock: context.clock, open: browser.open) : false
        if !hasCome { context.output.note("no browser came for the logout page of '\(entry.providerID)'") }
    }
}

import ArgumentParser
import AuthCore

/// Sign-in to a Firebase project with an email link.
struct EmailLinkFlags: ParsableArguments {
    @Option(
        help: .init(
            "Do not send an email; read its link or code from a file, or - for standard input (requires --provider emailLink).",
            valueName: "file|-"), completion: .file())
    var code: String?

    func run(
        _ email: String, as operation: SignInOperation, again: ShellCommand, in context: Context
    ) async throws -> SignInResult {
        let signIn = try SignInToProject(context.profile)
        let (begin, complete): (ShellCommand, ShellCommand) = ("\(again) --begin", "\(again) --code -")
        let needed = CommandError(
            .interactionRequired, "user interaction is required: the link from the email must be pasted",
            hint: "to send the email: \(run: begin), then complete it with its link: \(run: complete)")
        if code == nil {
            guard MailCode.canPrompt(context) else { throw needed }
            try await send(email, by: signIn, in: context)
        }
        let code = try await MailCode.read(code, for: .signIn, of: email, in: signIn.directory, context: context)
        guard let code else { throw needed }
        // Read before the link is used, which is valid only once.
        try context.readOneTimeCodeAhead()
        return try await signIn.acceptEmailLink(email: email, link: code, operation)
    }

    func begin(_ email: String, again: ShellCommand, in context: Context) async throws {
        try await send(email, by: SignInToProject(context.profile), in: context)
        context.output.json(BegunSignIn.output.json((nil, email)))
        let next: ShellCommand = "\(again) --code -"
        context.output.note("then pipe the link into: \(context.text(of: next))")
    }

    private func send(_ email: String, by signIn: SignInToProject, in context: Context) async throws {
        try await signIn.directory.sendSignIn(to: email)
        context.output.note("an email with a link was sent to '\(shown: email)': paste the link, or the callback URL")
    }
}

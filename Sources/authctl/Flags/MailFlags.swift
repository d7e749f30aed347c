import ArgumentParser
import AuthCore

struct MailFlags: ParsableArguments {
    @Option(
        help: .init(
            "Do not send another email; read the link or code of the last one from a file, or from standard input (-).",
            valueName: "file|-"), completion: .file())
    var code: String?
}

/// The code in a mail of a Firebase project.
enum MailCode {
    static func canPrompt(_ context: Context) -> Bool { !context.isUnattended && Prompt.isTerminal }

    static func read(
        _ source: String?, _ action: MailAction, of email: String, in directory: FirebaseDirectory, _ context: Context
    ) async throws -> ActionCode? {
        let question = "Link from the email, or its code: "
        if let source {
            let isPiped = source == "-" && !Prompt.isTerminal
            let text = try isPiped ? SecretInput.line() : SecretInput.read(source, prompt: question, context)
            let link = try ActionLink(pasted: text, for: action)
            try await directory.check(link.code, for: action, of: email)
            return link.code
        }
        guard canPrompt(context) else { return nil }
        return try await context.output.ask(question, isHidden: true) { typed in
            do {
                let link = try ActionLink(pasted: typed, for: action)
                try await directory.check(link.code, for: action, of: email)
                return link.code
            } catch let fault as ActionLink.Fault {
                throw InvalidInput(fault.message)
            } catch FirebaseError.refused(code: "INVALID_OOB_CODE", _) {
                throw InvalidInput("the code is invalid, or it was already used")
            }
        }
    }
}

import ArgumentParser
import AuthCore

struct MailFlags: ParsableArguments {
    @Option(
        help: .init(
            "Do not send another email; read the link or code of the last one from a file, or from standard input (-).",
            valueName: "file|-"), completion: .file())
    var code: String?
}

/// Reads the code from an email of a Firebase project.
enum MailCode {
    static func canPrompt(_ context: Context) -> Bool { !context.isUnattended && Prompt.isTerminal }

    static func read(
        _ source: String?, for action: MailAction, of email: String, in directory: FirebaseDirectory, context: Context
    ) async throws -> ActionCode? {
        let question = "Link from the email, or its code: "
        func checked(_ text: String) async throws -> ActionCode {
            let link = try ActionLink(pasted: text, for: action)
            try await directory.check(link.code, for: action, of: email)
            return link.code
        }
        if let source {
            let isPiped = source == "-" && !Prompt.isTerminal
            return try await checked(
                isPiped ? SecretInput.line() : SecretInput.read(source, prompt: question, in: context))
        }
        guard canPrompt(context) else { return nil }
        return try await context.output.ask(question, isHidden: true) { typed in
            do {
                return try await checked(typed)
            } catch let fault as ActionLink.Fault {
                throw InvalidInput(fault.message)
            } catch FirebaseError.refused(code: "INVALID_OOB_CODE", _) {
                throw InvalidInput("the code is invalid, or it was already used")
            }
        }
    }
}

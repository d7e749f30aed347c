import ArgumentParser
import AuthCore

/// A token that a Firebase project's own server made for one of its accounts: from a file descriptor, and never from an
/// argument.
struct CustomTokenFlag: ParsableArguments {
    @Option(
        help: .init("Sign in with a custom token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var customToken: String?

    func run(_ operation: SignInOperation, _ context: Context) async throws -> SignInResult {
        let signIn = try SignInToProject(context.profile)
        let token = try SecretInput.read(customToken ?? "-", prompt: "Custom token: ", context)
        return try await signIn(CustomToken(token), operation)
    }
}

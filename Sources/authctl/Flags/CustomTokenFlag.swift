import ArgumentParser
import AuthCore

/// A token that a Firebase project's own server made for one of its accounts: from a file descriptor, and never from an
/// argument.
struct CustomTokenFlag: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With a Firebase project: take a custom token from a file, or from standard input (-).", valueName: "file|-"
        ),
        completion: .file())
    var customToken: String?

    /// - Parameter others: the command is told of yet another way.
    /// - Throws: `ValidationError` where one is given, and another way too.
    func requireAlone(_ provider: ProviderOption, _ flags: FlowFlags, others: Bool) throws {
        guard customToken != nil else { return }
        try flags.requireNothingAsked()
        guard provider.id != nil || flags.isCredential || others else { return }
        throw ValidationError("--custom-token is all there is to such a sign-in")
    }

    /// - Returns: nil where none is given.
    func run(_ operation: SignInOperation, _ context: Context) async throws -> SignInResult? {
        guard let customToken else { return nil }
        let signIn = try SignInToProject(context.profile)
        return try await signIn(
            CustomToken(try SecretInput.read(customToken, asking: "Custom token: ", context)), operation)
    }
}

import ArgumentParser

/// An existing token for a sign-in.
struct TokenInputOptions: ParsableArguments {
    @Option(
        help: .init("Sign in with an existing ID token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var idToken: String?

    @Option(help: .init("The raw nonce of the ID token (requires --id-token).", valueName: "raw"))
    var nonce: String?

    @Flag(
        help: "Sign in or link with an access token from standard input: a personal one, or one issued to this client.")
    var withToken = false

    /// The token of a file, or with `-` the same as `--with-token`.
    @Option(
        help: .init("Sign in with an access token from a file.", valueName: "file|-", visibility: .hidden),
        completion: .file())
    var accessToken: String?
}

/// A sign-in in two runs.
struct StepFlags: ParsableArguments {
    @Flag(help: "Print the URL, its expiry and an ID as JSON, and exit; continue with --complete.")
    var begin = false

    @Option(
        help: .init("Complete the sign-in with this ID; reads the callback URL from standard input.", valueName: "id"))
    var complete: String?
}

import ArgumentParser

/// A token that somebody else got.
struct TokenInputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Take an ID token from a file, or from standard input (-).", valueName: "file|-"),
        completion: .file())
    var idToken: String?

    @Option(help: ArgumentHelp("The raw nonce of the ID token.", valueName: "raw"))
    var nonce: String?

    @Option(
        help: ArgumentHelp(
            "Take an access token from a file, or from standard input (-): a personal one, or one that its provider says is for this client.",
            valueName: "file|-"),
        completion: .file())
    var accessToken: String?
}

/// A sign-in in two calls.
struct StepFlags: ParsableArguments {
    @Flag(help: "Print the URL, its expiry and an ID as JSON, and end; --complete takes the answer.")
    var begin = false

    @Option(help: ArgumentHelp("Take the answer to what --begin began, from standard input.", valueName: "id"))
    var complete: String?
}

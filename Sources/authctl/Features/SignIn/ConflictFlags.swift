import ArgumentParser

/// The options of `signin` for credentials that conflicted with an account.
struct ConflictFlags: ParsableArguments {
    @Option(
        defaultAsFlag: "",
        help: .init("Sign in with a pending credential; the ID is optional if there is only one.", valueName: "id"),
        completion: .pending)
    var pending: String?

    @Flag(help: "After the sign-in, link the pending credentials for this account's email address.")
    var linkPending = false

    @Flag(help: "The user has agreed to link an Apple identity to other data (requires --link-pending or --resource).")
    var consent = false
}

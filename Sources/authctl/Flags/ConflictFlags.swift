import ArgumentParser

/// The flags of `signin` for credentials that met a conflict.
struct ConflictFlags: ParsableArguments {
    @Option(
        defaultAsFlag: "",
        help: ArgumentHelp(
            "Sign in with the credential that met credential-already-in-use; its ID may be left out.", valueName: "id"),
        completion: .pending)
    var pending: String?

    @Flag(help: "Afterwards link the pending credential that met this account's email.")
    var linkPending = false

    @Flag(help: "With --link-pending or --resource: the person has agreed to tie an Apple identity to other data.")
    var consent = false
}

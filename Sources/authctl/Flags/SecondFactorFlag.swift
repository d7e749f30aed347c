import ArgumentParser

/// Where the code of a second factor comes from, where nobody can be asked.
struct SecondFactorFlag: ParsableArguments {
    @Flag(
        help: """
            Where the project wants the code of an authenticator app: read it from standard input, on a line behind \
            whatever else comes from there.
            """)
    var totpStdin = false

    /// - Throws: `ValidationError` where other flags do not go with it.
    func check(_ flags: FlowFlags) throws {
        guard totpStdin, flags.isPasted else { return }
        throw ValidationError("--totp-stdin and --flow paste both want standard input: use --begin and --complete")
    }
}

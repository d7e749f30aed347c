import ArgumentParser

/// The second factor's code in non-interactive runs.
struct SecondFactorFlag: ParsableArguments {
    @Flag(
        help: """
            Where the project wants the code of an authenticator app: read it from standard input, on a line behind \
            whatever else comes from there.
            """)
    var totpStdin = false
}

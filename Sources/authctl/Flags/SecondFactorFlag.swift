import ArgumentParser

/// The second factor's code in non-interactive runs.
struct SecondFactorFlag: ParsableArguments {
    @Flag(
        help: """
            If the project requires the code of an authenticator app: read it from standard input, on the line after \
            any other input.
            """)
    var totpStdin = false
}

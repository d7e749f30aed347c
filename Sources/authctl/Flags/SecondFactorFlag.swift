import ArgumentParser

/// Where the code of a second factor comes from, where nobody can be asked.
struct SecondFactorFlag: ParsableArguments {
    @Flag(
        help: """
            Where the project wants the code of an authenticator app: read it from standard input, on a line behind \
            whatever else comes from there.
            """)
    var totpStdin = false
}

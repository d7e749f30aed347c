import ArgumentParser

/// The second factor's code in non-interactive runs.
struct SecondFactorFlag: ParsableArguments {
    @Flag(help: "Read the code of an authenticator app from standard input, on the line after any other input.")
    var totpStdin = false
}

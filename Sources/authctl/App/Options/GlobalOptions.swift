import ArgumentParser

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(help: .init("Use this profile (AUTHCTL_PROFILE).", valueName: "name"), completion: .profiles)
    var profile: String?

    @Option(
        help: "Use this account, by alias, uid or address, for this command only (AUTHCTL_ACCOUNT).",
        completion: .accounts)
    var account: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not print notes on standard error.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Trace HTTP on standard error, without secrets.")
    var verbose = false

    @Flag(help: "Never prompt and never open a browser (implied when CI is set).")
    var noInput = false

    @Option(help: .init("How long to wait for the user, for example 90, 5m or 1h.", valueName: "time"))
    var timeout = TimeSpan(seconds: 300)

    @Option(
        name: .customLong("passphrase-fd"),
        help: .init("Read the passphrase of the encryption key from this open file descriptor.", valueName: "n"))
    var passphraseDescriptor: Int32?

    @Option(help: .init("The configuration directory (AUTHCTL_CONFIG_DIR).", valueName: "dir"), completion: .directory)
    var configDir: String?

    @Flag(help: "Show help with all options.")
    var helpAll = false

    func validate() throws {
        try require(
            passphraseDescriptor.map({ $0 >= 0 }) ?? true,
            "--passphrase-fd must be the number of an open file descriptor")
        try require(configDir != "", "--config-dir requires a directory")
        try require((1...86400).contains(timeout.seconds), "--timeout must be 1 to 86400 seconds")
    }

    var settings: Settings {
        Settings(
            profile: profile, account: account, json: json, quiet: quiet, verbose: verbose, noInput: noInput,
            timeout: Int(timeout.seconds), configDir: configDir, passphraseDescriptor: passphraseDescriptor)
    }
}

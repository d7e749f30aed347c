import AuthCore

/// The values of the global flags.
struct Settings: Sendable {
    var profile: String?
    var account: String?
    var json = false
    var quiet = false
    var verbose = false
    var noInput = false
    /// Seconds to wait for the user.
    var timeout = 300
    var configDir: String?
    var field: FieldPath?
    var passphraseDescriptor: Int32?
    var isPassphraseNew = false
    var acceptsWeakPassphrase = false
    /// Whether standard input has a line with the one-time code.
    var readsOneTimeCode = false
    var isAccepted: @Sendable (_ words: [String], _ option: String) -> Bool = { _, _ in true }
    var isTerminalTaken = false
    /// Whether the command also runs if the profile's name is invalid or cannot be read.
    var reportsProblems = false

    var repeatedOptions: RepeatedOptions {
        RepeatedOptions(
            options: ["--profile": profile, "--account": account, "--config-dir": configDir],
            isUnattended: isUnattended(Process.environment), isJob: Process.environment.isOn("CI"),
            isAccepted: isAccepted)
    }

    func isUnattended(_ environment: Environment) -> Bool { noInput || environment.isOn("CI") }
}

extension Output {
    init(settings: Settings) { self.init(isJSON: settings.json, isQuiet: settings.quiet, field: settings.field) }
}

import AuthCore

/// What the global flags say, as a plain value.
struct Settings: Sendable {
    var profile: String?
    var account: String?
    var json = false
    var quiet = false
    var verbose = false
    var noInput = false
    /// Seconds to wait for a person.
    var timeout = 300
    var configDir: String?
    /// The one value of a result that is wanted; nil for all of it.
    var field: FieldPath?
    /// Where the passphrase of the vault is read from.
    var passphraseDescriptor: Int32?
    /// It is a new passphrase that is there, and not the one that the store opens with.
    var isPassphraseNew = false
    /// A new passphrase may be short.
    var acceptsWeakPassphrase = false
    /// The code of a second factor is a line of standard input.
    var readsOneTimeCode = false
    /// See `GivenPlace.isTaken`.
    var isTaken: @Sendable (_ words: [String], _ option: String) -> Bool = { _, _ in true }
    /// A program that was started reads the terminal: no passphrase is asked for there.
    var isTerminalTaken = false

    /// What a hint has to say again.
    var givenPlace: GivenPlace {
        GivenPlace(
            options: ["--profile": profile, "--account": account, "--config-dir": configDir], isTaken: isTaken)
    }

    /// True when nobody may be asked and no browser opened.
    func isUnattended(_ environment: Environment) -> Bool {
        noInput || (environment["CI"] ?? "false") != "false"
    }
}

extension Output {
    init(settings: Settings) { self.init(isJSON: settings.json, isQuiet: settings.quiet, field: settings.field) }
}

import AuthCore

extension VaultError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .locked(let kind):
            "\(kind.name) is locked, and prompts are disabled".hint("on a terminal: \(run: "authctl vault unlock")")
        case .noPassphrase:
            "a passphrase is required, and prompts are disabled"
                .hint("use AUTHCTL_PASSPHRASE_FILE, AUTHCTL_PASSPHRASE_COMMAND, --passphrase-fd or a terminal")
        case .weakPassphrase:
            "the new passphrase has fewer than \(VaultPassphrase.minimumLength) characters"
                .hint("to use it anyway: \(run: "authctl vault passphrase --weak")")
        case .notConfirmed:
            "no passphrase was chosen in three attempts"
        case .dismissed: "the key was not unlocked"
        case .timedOut(let seconds):
            "the key was not unlocked within \(Int(seconds)) seconds".hint("for more time: --timeout SECONDS")
        case .wrongPassphrase:
            "this is not the passphrase of the key".hint(
                "AUTHCTL_PASSPHRASE_FILE and AUTHCTL_PASSPHRASE_COMMAND are used if one is set")
        case .cannotLock:
            "the key is in a file, which cannot be locked".hint(run: "authctl vault passphrase")
        case .noTimeLimit(.file):
            "the key is in a file, which is never locked".hint(run: "authctl vault passphrase")
        case .noTimeLimit(let kind):
            "--for requires a passphrase: the desktop decides how long \(kind.name) stays unlocked".hint("omit --for")
        case .lostKey(let kind, let reason, let database):
            reason.explanation(
                kind,
                "restore it; or start over, without accounts, sessions and client secrets: \(StoreError.startOver(database))\(kind.again)"
            )
        case .cannotStore(let kind, let reason) where reason.isAbsence:
            reason.explanation(
                kind,
                "\(reason.remedy); without one: \(run: "authctl vault passphrase")")
        case .unavailable(.keyring, .noBus):
            VaultError.Reason.noBus.explanation(
                .keyring, "for jobs without a desktop, in its session: \(run: "authctl vault file")")
        case .unavailable(let kind, let reason), .cannotStore(let kind, let reason):
            reason.explanation(kind, reason.remedy)
        }
    }
}

extension VaultKind {
    var name: String {
        switch self {
        case .file: "the key file"
        case .keyring: "the keyring"
        case .passphrase: "the passphrase-encrypted key"
        }
    }

    /// A new store begins with a key in a plain file.
    fileprivate var again: Hint { self == .file ? "" : ", then \(run: "authctl vault \(rawValue)")" }
}

extension VaultError.Reason {
    fileprivate func explanation(_ kind: VaultKind, _ hint: Hint) -> Explanation {
        message(of: kind).hint(hint).details(["reason": .string(code)])
    }

    var code: String {
        switch self {
        case .noBus: "no-bus"
        case .noService: "no-service"
        case .noCollection: "no-collection"
        case .timeout: "timeout"
        case .missing: "missing"
        // authctl does not write such parameters, so the file is damaged.
        case .damaged, .tooExpensive: "damaged"
        case .noLibrary: "no-library"
        case .refused: "refused"
        }
    }

    func message(of kind: VaultKind) -> String {
        switch self {
        case .noBus: "no keyring is available: there is no D-Bus session"
        case .noService: "no keyring is available: the D-Bus session has no Secret Service"
        case .noCollection: "the keyring has no default collection"
        case .timeout(let seconds): "the keyring did not answer within \(Int(seconds)) seconds"
        case .missing where kind == .keyring: "the keyring does not contain this store's key; nothing was changed"
        case .missing: "the file with the key, key.wrapped, is missing; nothing was changed"
        case .damaged where kind == .keyring: "the key in the keyring is not this store's key"
        case .damaged: "the file with the key, key.wrapped, is damaged or belongs to another store"
        case .tooExpensive: "the encrypted key in \(kind.name) requires more memory or time than allowed"
        case .noLibrary: "no keyring is available: libsystemd is not installed"
        case .refused(let text): "\(kind.name) refused: \(text)"
        }
    }

    fileprivate var isAbsence: Bool { [.noBus, .noService, .noCollection, .noLibrary].contains(self) }

    var remedy: Hint {
        switch self {
        case .noBus: "a keyring requires a login session or dbus-run-session"
        case .noService: "\(run: "apt-get install gnome-keyring"), KeePassXC or KWallet, and start it"
        case .noCollection: "create a default keyring, for example with seahorse"
        case .noLibrary: .run("apt-get install libsystemd0")
        case .timeout: "the keyring's application may wait for an answer"
        case .missing, .damaged, .tooExpensive: "restore it"
        case .refused: .run("authctl doctor")
        }
    }
}

extension KernelKeyring.Refusal {
    var message: String {
        switch self {
        case .unsupported: "the kernel does not support keyrings"
        case .forbidden: "this process may not use the kernel's keyrings, as in many containers"
        case .full: "the kernel's keyring of this user is full"
        case .failed(let code): SystemText.of(code)
        }
    }
}

import AuthCore

extension VaultError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        switch self {
        case .locked(let kind):
            "\(kind.name) is locked, and nobody may be asked to open it"
                .hint("at a terminal: \(run: "authctl profile unlock")")
        case .noPassphrase:
            "no passphrase was given, and nobody may be asked for one"
                .hint("by AUTHCTL_PASSPHRASE_FILE, AUTHCTL_PASSPHRASE_COMMAND or --passphrase-fd, or at a terminal")
        case .weakPassphrase:
            "the new passphrase has fewer than \(VaultPassphrase.minimumLength) characters"
                .hint("use a longer passphrase, or run \(run: "authctl profile set --vault passphrase --weak")")
        case .notConfirmed:
            "the passphrase and its confirmation differed three times"
                .hint(run: "authctl profile set --vault passphrase")
        case .dismissed: "the key was not unlocked".hint(run: "authctl profile unlock")
        case .unanswered(let seconds):
            "nobody unlocked the key within \(Int(seconds)) seconds"
                .hint("\(run: "authctl profile unlock"), or a longer --timeout")
        case .wrongPassphrase: "this is not the passphrase of the key".hint(run: "authctl profile unlock")
        case .cannotLock:
            "the key is in a file, which cannot be locked".hint(run: "authctl profile set --vault passphrase")
        case .noTimeLimit(.file):
            "the key is in a file, which is always open".hint(run: "authctl profile set --vault passphrase")
        case .noTimeLimit(let kind):
            "--for goes with a passphrase: how long \(kind.name) stays open is not ours to say"
                .hint(run: "authctl profile unlock")
        case .lostKey(let kind, let reason, let database):
            reason.explanation(
                kind,
                "restore it; or start over, without the sessions and client secrets it sealed: \(StoreError.startOver(database))"
            )
        case .cannotTake(let kind, let reason) where reason.isAbsence:
            reason.explanation(
                kind,
                "\(reason.remedy); without one: \(run: "authctl profile set --vault passphrase"); or: \(run: "authctl profile set --vault file")"
            )
        case .unavailable(let kind, let reason), .cannotTake(let kind, let reason):
            reason.explanation(kind, reason.remedy)
        }
    }
}

extension VaultKind {
    /// What a person calls it.
    var name: String {
        switch self {
        case .file: "the key file"
        case .keyring: "the keyring"
        case .passphrase: "the key behind a passphrase"
        }
    }
}

extension VaultError.Reason {
    fileprivate func explanation(_ kind: VaultKind, _ hint: Hint) -> Explanation {
        message(of: kind).hint(hint).details(["reason": .string(code)])
    }

    /// The word that scripts read.
    var code: String {
        switch self {
        case .noBus: "no-bus"
        case .noService: "no-service"
        case .noCollection: "no-collection"
        case .timeout: "timeout"
        case .missing: "missing"
        // Whoever wrote the file damaged it.
        case .damaged, .tooExpensive: "damaged"
        case .noLibrary: "no-library"
        case .refused: "refused"
        }
    }

    func message(of kind: VaultKind) -> String {
        switch self {
        case .noBus: "no keyring can be reached: there is no D-Bus session here"
        case .noService: "no keyring answers: nothing on the D-Bus session is a Secret Service"
        case .noCollection: "the keyring has no default collection"
        case .timeout(let seconds): "the keyring did not answer within \(Int(seconds)) seconds"
        case .missing where kind == .keyring: "the keyring has no key of this store; nothing was changed"
        case .missing: "the file with the key, key.wrapped, is gone; nothing was changed"
        case .damaged where kind == .keyring: "what the keyring has is not the key that this store was sealed with"
        case .damaged: "the file with the key, key.wrapped, is damaged, or is another store's"
        case .tooExpensive: "what \(kind.name) holds would take more memory or time to open than a passphrase may"
        case .noLibrary: "no keyring can be reached: libsystemd is not installed"
        case .refused(let text): "\(kind.name) refused: \(text)"
        }
    }

    /// There is no keyring here; a key can be elsewhere.
    fileprivate var isAbsence: Bool { [.noBus, .noService, .noCollection, .noLibrary].contains(self) }

    /// What brings it back.
    var remedy: Hint {
        switch self {
        case .noBus: "a keyring needs a login session, or dbus-run-session"
        case .noService: "\(run: "apt-get install gnome-keyring"), or KeePassXC, or KWallet, and start it"
        case .noCollection: "make a default keyring at the desktop, with seahorse say"
        case .noLibrary: .run("apt-get install libsystemd0")
        case .timeout: "look at the keyring's program, then again; nothing was changed"
        case .missing, .damaged, .tooExpensive: "restore it"
        case .refused: .run("authctl doctor")
        }
    }
}

extension KernelKeyring.Refusal {
    var message: String {
        switch self {
        case .unsupported: "the kernel has no keyrings"
        case .forbidden: "the kernel's keyrings are closed to this process, as in many containers"
        case .full: "the kernel's keyring of this user is full"
        case .failed(let code): SystemText.of(code)
        }
    }
}

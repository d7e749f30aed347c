import AuthCore

extension VaultError: Told {
    func told(_ task: Undertaking) -> Failure {
        switch self {
        case .locked(let kind):
            return task.failure(
                .vaultLocked, "\(kind.name) is locked, and nobody may be asked to open it",
                hint: "at a terminal: authctl profile unlock")
        case .noPassphrase:
            return task.failure(
                .interactionRequired, "no passphrase was given, and nobody may be asked for one",
                hint: "by AUTHCTL_PASSPHRASE_FILE, AUTHCTL_PASSPHRASE_COMMAND or --passphrase-fd, or at a terminal")
        case .dismissed:
            return task.failure(
                .userCancelled, "the key was not unlocked", hint: "authctl profile unlock")
        case .unanswered(let seconds):
            return task.failure(
                .timeout, "nobody unlocked the key within \(Int(seconds)) seconds",
                hint: "authctl profile unlock, or a longer --timeout")
        case .wrongPassphrase:
            return task.failure(
                .wrongPassphrase, "this is not the passphrase of the key", hint: "authctl profile unlock")
        case .cannotLock:
            return task.failure(
                .operationNotAllowed, "the key is in a file, which cannot be locked",
                hint: "authctl profile set --vault passphrase")
        case .noTimeLimit(.file):
            return task.failure(
                .operationNotAllowed, "the key is in a file, which is always open",
                hint: "authctl profile set --vault passphrase")
        case .noTimeLimit(let kind):
            return task.failure(
                .operationNotAllowed,
                "--for goes with a passphrase: how long \(kind.name) stays open is not ours to say",
                hint: "authctl profile unlock")
        case .unavailable(let kind, let reason):
            var failure = task.failure(.vaultUnavailable, reason.text(of: kind), hint: reason.hint(kind))
            failure.details["reason"] = .string(reason.code)
            return failure
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

    func text(of kind: VaultKind) -> String {
        switch self {
        case .noBus: "no keyring can be reached: there is no D-Bus session here"
        case .noService: "no keyring answers: nothing on the D-Bus session is a Secret Service"
        case .noCollection: "the keyring has no default collection"
        case .timeout(let seconds): "the keyring did not answer within \(Int(seconds)) seconds"
        case .missing: "the key of this store is missing from \(kind.name); nothing was changed"
        case .damaged: "what \(kind.name) holds is damaged, or is not the key that this store was sealed with"
        case .tooExpensive: "what \(kind.name) holds would take more memory or time to open than a passphrase may"
        case .noLibrary: "no keyring can be reached: libsystemd is not installed"
        case .refused(let text): "\(kind.name) refused: \(text)"
        }
    }

    func hint(_ kind: VaultKind) -> Hint {
        switch self {
        case .noBus:
            "run it in a login session (or under dbus-run-session); without one: authctl profile set --vault passphrase, or --vault file"
        case .noService:
            "apt-get install gnome-keyring (or KeePassXC, KWallet), and start it; without one: authctl profile set --vault passphrase, or --vault file"
        case .noCollection:
            "make a default keyring at the desktop (seahorse); without one: authctl profile set --vault passphrase, or --vault file"
        case .timeout: "look at the keyring's program, then again; nothing was changed"
        case .missing, .damaged, .tooExpensive:
            "restore it; or start over without the sessions and client secrets that it sealed: authctl doctor says how"
        case .noLibrary:
            "apt-get install libsystemd0; without it: authctl profile set --vault passphrase, or --vault file"
        case .refused: "authctl doctor"
        }
    }
}

extension KernelKeyring.Refusal {
    var text: String {
        switch self {
        case .unsupported: "the kernel has no keyrings"
        case .forbidden: "the kernel's keyrings are closed to this process, as in many containers"
        case .full: "the kernel's keyring of this user is full"
        case .failed(let code): SystemText.of(code)
        }
    }
}

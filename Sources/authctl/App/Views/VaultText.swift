import AuthCore

extension VaultStatus: Viewed {
    static let view = View<VaultStatus>("Vault") {
        Field("kind", of: \.kind.rawValue, means: "file, keyring, passphrase")
        Field("state", of: \.state.word, means: "open, locked, missing, or an error")
        Field("until", of: \.state.end, means: "when it will be locked")
    }
}

extension VaultState {
    fileprivate var word: String {
        switch self {
        case .open: "open"
        case .locked: "locked"
        case .missing: "missing"
        case .unavailable(.timeout), .unavailable(.refused): "unreachable"
        case .unavailable(let reason): reason.code
        }
    }

    fileprivate var end: Time? { if case .open(let end?) = self { Time(end) } else { nil } }
}

enum VaultText {
    static let output = View<VaultStatus> { Field("vault", of: \.self) }

    static func line(_ status: VaultStatus, now: Int64) -> String {
        let state =
            switch status.state {
            case .open(let until?): "open for \(RelativeTime.span(until - now))"
            case .open(nil): status.kind == .file ? "" : "open"
            case .locked: "locked"
            case .missing: "which is missing"
            case .unavailable(let reason): reason.message(of: status.kind)
            }
        let place =
            switch status.kind {
            case .file: "a key in a plain file"
            case .keyring: "a key in the keyring"
            case .passphrase: "a passphrase-encrypted key"
            }
        return place + (state.isEmpty ? "" : ", " + state)
    }

    static func show(_ status: VaultStatus, _ context: Context) {
        context.output.done(
            output.json(status), "the sessions are encrypted with \(line(status, now: context.clock.now()))")
    }

    static func show(_ move: VaultMove, status: VaultStatus, in context: Context) {
        show(status, context)
        if move.from == .file, move.to != .file {
            context.output.note("the file '\(context.configDirectory.path)/key' was removed")
        }
        if let left = move.left {
            let failure = Failure(left.reason, while: ErrorContext(again: .typed))
            context.output.note(
                "a copy of the key is still in \(left.kind.name): \(failure.message); run the same command again to remove it"
            )
        }
    }
}

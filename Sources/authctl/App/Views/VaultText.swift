import AuthCore

enum VaultText {
    static func json(_ status: VaultStatus) -> JSONValue {
        var until: JSONValue = .null
        if case .open(let end?) = status.state { until = .string(HTTPDate.rfc3339(end)) }
        return ["kind": .string(status.kind.rawValue), "state": .string(word(status.state)), "until": until]
    }

    private static func word(_ state: VaultState) -> String {
        switch state {
        case .open: "open"
        case .locked: "locked"
        case .missing: "missing"
        case .unavailable(.timeout), .unavailable(.refused): "unreachable"
        case .unavailable(let reason): reason.code
        }
    }

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
            ["vault": json(status)], "the sessions are encrypted with \(line(status, now: context.clock.now()))")
    }

    static func show(_ move: VaultMove, _ status: VaultStatus, _ context: Context) {
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

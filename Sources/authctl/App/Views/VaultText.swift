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
}

import AuthCore

/// Lists what exists, for the shells; says nothing when it cannot.
enum Completions {
    /// What a shell may be offered. Bash expands the words that it completes (`compgen -W`), so that an address with a
    /// command in it would be run by pressing Tab: only names of harmless characters are told.
    static func offered(_ names: [String]) -> [String] {
        names.filter { name in
            !name.hasPrefix("-")
                && name.utf8.allSatisfy { $0.isLetterOrDigit || "@._+-".utf8.contains($0) || $0 >= 0x80 }
                && !name.unicodeScalars.contains(where: \.isHidden)
        }
    }

    static func providers() -> [String] {
        guard let context = try? Context(settings: Settings(), output: .silent) else { return [] }
        return offered((try? context.profile.providerIDs()) ?? [])
    }

    static func accounts() -> [String] {
        guard let context = try? Context(settings: Settings(), output: .silent),
            let ledger = try? context.profile.shownLedger()
        else { return [] }
        return offered((try? ledger.accountNames()) ?? [])
    }
}

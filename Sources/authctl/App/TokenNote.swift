import AuthCore

extension CurrentToken.Note {
    func text(_ context: Context) -> String {
        switch self {
        case .moved(let before, let now): "the provider's token endpoint moved from '\(before)' to '\(now)'"
        case .notRefreshed: "the provider did not refresh the token; this one is still valid"
        case .otherAccount(let account, let provider):
            "using the session of '\(shown: account)': the current account is not linked to '\(provider)'"
        case .jobTokensExpired(let platform):
            "'\(platform)' does not provide a new token to this process; this is the previous one"
        case .endsSoon(let provider, let resource, let end, let now):
            "the session with '\(provider)' ends soon; sign in again by \(RelativeTime.deadline(end, now: now)): "
                + context.text(of: .signIn(provider, for: resource, as: .browser))
        }
    }
}

extension Context {
    func show(_ notes: [CurrentToken.Note]) { for note in notes { output.note(note.text(self)) } }
}

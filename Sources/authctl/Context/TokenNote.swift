import AuthCore

extension CurrentToken.Note {
    var text: String {
        switch self {
        case .moved(let before, let now): "the provider's token endpoint moved from '\(before)' to '\(now)'"
        case .notRefreshed: "the provider could not be reached; this token was not refreshed"
        case .otherAccount(let account, let provider):
            "using the session of '\(shown: account)': the current account is not linked to '\(provider)'"
        case .jobTokensExpired(let platform):
            "'\(platform)' does not provide a new token to this process; this is the previous one"
        }
    }
}

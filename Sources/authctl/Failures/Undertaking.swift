/// What a command was doing, for its error line.
struct Undertaking {
    /// What did not happen, such as `"sign-in refused"`.
    let failed: String
    /// The provider it was about, where one was named.
    var provider: String?
    /// The command to run again.
    var again: Hint

    init(_ failed: String, provider: String? = nil, again: Hint) {
        self.failed = failed
        self.provider = provider
        self.again = again
    }
}

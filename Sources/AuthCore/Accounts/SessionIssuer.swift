/// Who issued the tokens of a session. The store, JSON and arguments have the text of `providerID` instead.
package enum SessionIssuer: Sendable {
    case provider
    /// A session of a password has no tokens.
    case password
    /// The directory's own session, with the tokens of a Firebase project.
    case project
    /// A CI job's platform.
    case job

    /// The ID of `project`.
    package static let projectID = ProviderError.directorySession

    package init(_ providerID: String) {
        self =
            switch providerID {
            case PasswordProvider.id: .password
            case SessionIssuer.projectID: .project
            case _ where providerID.hasPrefix(WorkloadPlatform.prefix): .job
            default: .provider
            }
    }
}

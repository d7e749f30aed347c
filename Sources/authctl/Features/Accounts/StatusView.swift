import AuthCore

extension StatusReport {
    static let output = View<StatusReport> {
        Field("vault", of: \.vault, means: "where the encryption key is")
        Field("accounts", each: listed, of: { report in report.accounts.map { ($0, report) } })
        Field("default", of: { Default(report: $0) }, means: "the session of commands without a name")
        Field("pending", of: { $0.pending.map(\.credential) }, means: "what waits for a link")
        Field(
            "chosenBy", of: \.choice.source.rawValue, means: "option, environment, directory-rule, git-config, current")
        Field("rule", of: \.choice.place?.text, means: "the directory of the rule, or git's setting")
        Field("accountsWithoutSession", of: { Int64($0.otherCount) }, means: "accounts that are not shown")
        Field("unrevoked", of: \.unrevoked)
        Field("environment", each: variable, of: \.tokens, means: "tokens in the environment")
    }

    private static let variable = View<EnvironmentToken>("Variable") {
        Field("providerId", of: \.providerID)
        Field("source", of: \.variable, means: "the name of the variable")
    }

    private struct Default: Viewed {
        static let view = View<Default>("Default") {
            Field("name", of: \.name)
            Field("chosenBy", of: \.report.choice.source.rawValue)
        }
        let report: StatusReport
        let name: String

        init?(report: StatusReport) {
            guard let session = report.defaultSession, let account = report.chosen?.account else { return nil }
            (self.report, name) = (report, report.names.full(session, of: account))
        }
    }

    private static let listed = View<(status: AccountStatus, report: StatusReport)>("Listed") {
        Field.all(of: \.status.account)
        Field("current", of: \.status.isCurrent)
        Field(
            "sessions", each: session,
            of: { listed in listed.status.sessions.map { ($0, listed.status.account, listed.report) } })
    }

    private static let session = View<(session: SessionSummary, account: Account, report: StatusReport)>("Session") {
        Field("name", of: { $0.report.names.full($0.session, of: $0.account) }, means: "as commands accept it")
        Field("default", of: { $0.session == $0.report.defaultSession })
        Field("providerId", of: \.session.providerID)
        Field("scopes", of: \.session.scopes)
        Field("expiresAt", of: { $0.session.expiresAt.map(Time.init) }, means: "null: unknown, or never")
        Field("hasRefreshToken", of: \.session.hasRefreshToken)
        Field(
            "refreshTokenExpiresAt", of: { $0.session.refreshTokenExpiresAt.map(Time.init) },
            means: "sign in again before this")
        Field(
            "lastProvenAt", of: { $0.session.lastProvenAt == 0 ? nil : Time($0.session.lastProvenAt) },
            means: "the last authentication")
        Field("source", of: \.session.source.text, means: "browser, device, password, ci.github, …")
        Field("state", of: { $0.report.view.state($0.session).rawValue }, means: "fresh, renews, needs-sign-in, …")
        Field("binding", of: \.session.binding.rawValue, means: "bearer, dpop, certificate")
        Field("resource", of: \.session.resource?.text, means: "the only URL it is for")
        Field(
            "from", of: { $0.report.view.places[$0.session.providerID]?.from },
            means: "the provider's configuration file")
        Field(
            "insteadOf", of: { $0.report.view.places[$0.session.providerID]?.hidden }, means: "a file that it overrides"
        )
        Field("projectId", of: \.session.directory.projectID, means: "the Firebase project")
        Field("tenantId", of: \.session.directory.tenantID, means: "its tenant")
        Field("emulator", of: \.session.directory?.emulator, means: "the Firebase emulator")
    }
}

extension UnrevokedSession: Viewed {
    static let view = View<UnrevokedSession>("Unrevoked") {
        Field("uid", of: \.accountUID, means: "its account")
        Field("providerId", of: \.providerID)
        Field("failedAt", of: { Time($0.failedAt) }, means: "the last try")
        Field("keptUntil", of: { Time($0.keptUntil) }, means: "the tokens are deleted then")
    }
}

/// Where an account is, as fields of `whoami` and of sessions.
extension DirectoryOrigin? {
    var projectID: String? { if case .project(let id, _, _)? = self { id } else { nil } }
    var tenantID: String? { if case .project(_, let tenant, _)? = self { tenant } else { nil } }
}

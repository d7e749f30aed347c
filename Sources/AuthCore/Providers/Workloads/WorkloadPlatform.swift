/// A system that vouches for the jobs it runs: a value for each, and the only place where they differ.
package struct WorkloadPlatform: Sendable {
    /// What `--ci` calls it.
    package let name: String
    /// Whether this process is a job of it.
    let isHere: @Sendable (any WorkloadHost) -> Bool
    /// How a job gets its token.
    let token: @Sendable (WorkloadRequest, any WorkloadHost) throws -> WorkloadTokenSource
    /// Whether a token of this issuer may be of this platform, as this job's terminalEnvironment say; nil where they do not, so
    /// that whoever signs in must: anybody's token would do, whatever claims are required of it.
    let accepts: (@Sendable (_ issuer: String, any WorkloadHost) -> Bool)?
    /// For whom a token is when nobody says; nil where that must be said.
    let usualAudience: @Sendable (any WorkloadHost) -> String?
    /// What the job is by claims that nobody can rename.
    let identity: @Sendable (WorkloadClaims) throws(WorkloadError) -> WorkloadIdentity

    /// The provider ID of its identities.
    package var providerID: String { WorkloadPlatform.prefix + name }

    static let prefix = "ci."

    /// True for the provider ID of a job's identity, which is no provider that could be added.
    package static func isPlatform(_ id: String) -> Bool { all.contains { $0.providerID == id } }

    /// In the order they are looked for: a CI system first, for its runners are containers and virtual machines too.
    package static let all: [WorkloadPlatform] = [
        .github, .gitlab, .azure, .circleci, .buildkite, .bitbucket, .kubernetes, .google, .file,
    ]

    /// The platform that `--ci NAME` means; `auto` is the one this process runs on.
    /// - Throws: `WorkloadError.unknown`, `WorkloadError.notInAJob`.
    package static func named(_ name: String, _ host: any WorkloadHost) throws(WorkloadError) -> WorkloadPlatform {
        guard name != "auto" else {
            guard let here = all.first(where: { $0.isHere(host) }) else { throw .notInAJob }
            return here
        }
        guard let platform = all.first(where: { $0.name == name }) else { throw .unknown(name) }
        return platform
    }
}

/// What a platform needs of the machine: handed in, because the core reads neither environment nor files.
package protocol WorkloadHost: Sendable {
    /// The value of an environment variable; nil when it is unset or empty.
    func variable(_ name: String) -> String?
    var variableNames: [String] { get }
    /// A small file as text; nil when it cannot be read.
    func text(of path: String) -> String?
    /// What a program prints; no shell.
    /// - Throws: `WorkloadError.command`.
    func output(of command: [String]) async throws -> String
}

/// Where a token comes from.
enum WorkloadTokenSource: Sendable {
    case held(RawIDToken)
    /// Read anew each time: whoever writes it renews it.
    case file(String)
    /// Asked for; it is in this member of the answer, or the whole answer where there is none.
    case request(HTTPRequest, member: String?)
    case command([String])
}

/// Who a job is.
struct WorkloadIdentity: Sendable, Equatable {
    var federatedID: String
    /// What people call it.
    var displayName: String?
}

/// A platform that issues ID tokens to its jobs. Only these values differ between platforms.
package struct WorkloadPlatform: Sendable {
    package let name: String
    /// Whether this process is a job of the platform.
    let isDetected: @Sendable (any WorkloadHost) -> Bool
    let token: @Sendable (WorkloadRequest, any WorkloadHost) throws -> WorkloadTokenSource
    /// Whether this job's environment allows tokens of this issuer. Nil if the environment does not name the issuer.
    /// The caller must then name it: otherwise any issuer's token would be accepted, with any required claims.
    var accepts: (@Sendable (_ issuer: String, any WorkloadHost) -> Bool)?
    /// The default audience; nil if the caller must name one.
    var defaultAudience: @Sendable (any WorkloadHost) -> String? = { _ in nil }
    /// Whether the token is, at least by default, in a variable that does not change while the job runs.
    package var isFixed = false
    let identity: @Sendable (WorkloadClaims) throws(WorkloadError) -> WorkloadIdentity

    package var providerID: String { WorkloadPlatform.prefix + name }

    package static let prefix = "ci."

    package static func isPlatform(_ id: String) -> Bool { all.contains { $0.providerID == id } }

    package static let all: [WorkloadPlatform] = [
        .github, .gitlab, .azure, .circleci, .buildkite, .bitbucket, .kubernetes, .google, .file,
    ]

    /// The platform that `--ci NAME` means; `auto` is the one this process runs on.
    package static func named(_ name: String, _ host: any WorkloadHost) throws(WorkloadError) -> WorkloadPlatform {
        guard name != "auto" else {
            guard let here = all.first(where: { $0.isDetected(host) }) else { throw .notInAJob }
            return here
        }
        guard let platform = all.first(where: { $0.name == name }) else { throw .unknown(name) }
        return platform
    }
}

/// The parts of the machine that a platform uses. Passed in, because the core reads neither the environment nor files.
package protocol WorkloadHost: Sendable {
    func variable(_ name: String) -> String?
    var variableNames: [String] { get }
    func text(of path: String) -> String?
    func output(of command: [String]) async throws -> String
}

/// Where a token comes from.
enum WorkloadTokenSource: Sendable {
    case held(RawIDToken)
    case file(String)
    case request(HTTPRequest, member: String?)
    case command([String])
}

struct WorkloadIdentity: Sendable, Equatable {
    var federatedID: String
    var displayName: String?
}

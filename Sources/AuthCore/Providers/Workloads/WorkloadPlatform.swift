/// A system that vouches for the jobs it runs: a value for each, and the only place where they differ.
public struct WorkloadPlatform: Sendable {
    /// What `--ci` calls it.
    public let name: String
    /// Whether this process is a job of it.
    let isHere: @Sendable (any WorkloadHost) -> Bool
    /// How a job gets its token.
    let token: @Sendable (WorkloadRequest, any WorkloadHost) throws -> WorkloadTokenSource
    /// Whether a token of this issuer may be of this platform, as this job's surroundings say; nil where they do not, so
    /// that whoever signs in must: anybody's token would do, whatever claims are required of it.
    let accepts: (@Sendable (_ issuer: String, any WorkloadHost) -> Bool)?
    /// For whom a token is when nobody says; nil where that must be said.
    let usualAudience: @Sendable (any WorkloadHost) -> String?
    /// What the job is by claims that nobody can rename.
    let identity: @Sendable (WorkloadClaims) throws(WorkloadError) -> WorkloadIdentity

    /// The provider ID of its identities.
    public var providerID: String { WorkloadPlatform.prefix + name }

    static let prefix = "ci."

    /// True for the provider ID of a job's identity, which is no provider that could be added.
    public static func isPlatform(_ id: String) -> Bool { all.contains { $0.providerID == id } }

    /// In the order they are looked for: a CI system first, for its runners are containers and virtual machines too.
    public static let all: [WorkloadPlatform] = [
        .github, .gitlab, .azure, .circleci, .buildkite, .bitbucket, .kubernetes, .google, .file,
    ]

    /// The platform that `--ci NAME` means; `auto` is the one this process runs on.
    /// - Throws: `WorkloadError.unknown`, `WorkloadError.notInAJob`.
    public static func named(_ name: String, _ host: any WorkloadHost) throws(WorkloadError) -> WorkloadPlatform {
        guard name != "auto" else {
            guard let here = all.first(where: { $0.isHere(host) }) else { throw .notInAJob }
            return here
        }
        guard let platform = all.first(where: { $0.name == name }) else { throw .unknown(name) }
        return platform
    }
}

/// What a platform needs of the machine: handed in, because the core reads neither environment nor files.
public protocol WorkloadHost: Sendable {
    /// The value of an environment variable; nil when it is unset or empty.
    func variable(_ name: String) -> String?
    var variableNames: [String] { get }
    /// A small file as text; nil when it cannot be read.
    func text(of path: String) -> String?
    /// What a program prints; no shell.
    /// - Throws: `WorkloadError.command`.
    func output(of command: [String]) async throws -> String
}

/// What is asked of a platform; kept with the session, so that it can be asked again.
public struct WorkloadRequest: Sendable, Equatable {
    public var audience: String?
    /// The only issuer the token may be of; nil for what the platform says.
    public var issuer: String?
    /// The variable, file or service connection to take it from, where there are several.
    public var source: String?
    /// Claims the token must have, with their values.
    public var required: [ClaimRequirement] = []

    public init() {}
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

/// Why a job's identity cannot be had or is not taken.
public enum WorkloadError: Error, Sendable, Equatable {
    case unknown(String)
    /// `auto` found no platform.
    case notInAJob
    /// The platform's job has no token to give, because this is missing.
    case missing(String, platform: String, remedy: String)
    /// Several variables could be meant.
    case ambiguous([String], platform: String)
    case audienceNeeded(platform: String)
    /// Nothing here says whose tokens count; the token's own word is no proof.
    case issuerNeeded(platform: String, token: ServerText)
    /// The program that gives the token could not, with its own words.
    case command(String, ServerText)
    /// The platform's answer holds no token.
    case noToken(platform: String, status: Int?)
    case issuer(ServerText, platform: String)
    /// A claim is not what was required, or is missing.
    case claim(String)
    /// The token was used before, and not for the session that is here.
    case usedBefore
}

/// The verified claims of a job's token, read as platforms write them.
struct WorkloadClaims: Sendable {
    let claims: JSONObject

    /// Text, or a whole number as text: platforms write IDs either way.
    func text(_ name: String) -> String? {
        switch claims[name] {
        case .string(let text) where !text.isEmpty && text.utf8.count <= 1024: text
        case .number(let number): number.integer.map { String($0) }
        default: nil
        }
    }

    func required(_ name: String) throws(WorkloadError) -> String {
        guard let text = text(name) else { throw .claim(name) }
        return text
    }

    var subject: String? { claims["sub"]?.string }
}

/// `NAME=VALUE` that a job's token must have. Compared whole: there are no wildcards and no prefixes, because
/// `repo:org/*` has met `repo:org-evil/x` before.
public struct ClaimRequirement: Sendable, Equatable {
    /// A claim's name, or a JSON Pointer (RFC 6901) to a member below one.
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    func holds(in claims: JSONObject) -> Bool {
        switch member(of: claims) {
        case .string(let text)?:
            if text.hasSameBytes(as: value) { return true }
            guard name == "sub", let theirs = GitHubSubject(text), let ours = GitHubSubject(value) else { return false }
            return theirs.satisfies(ours)
        // Some platforms write truth as a string, some as JSON has it.
        case .bool(let truth)?: return value == (truth ? "true" : "false")
        case .number(let number)?: return number.integer.map { String($0) } == value
        default: return false
        }
    }

    private func member(of claims: JSONObject) -> JSONValue? {
        guard name.hasPrefix("/") else { return claims[name] }
        var value = JSONValue.object(claims)
        for step in name.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let plain = step.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value.object?[String(plain)] else { return nil }
            value = next
        }
        return value
    }
}

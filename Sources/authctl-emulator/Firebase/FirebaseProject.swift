import AuthCore

/// A Firebase project with the paths of the official emulator. In these cases, it behaves like the service instead:
/// - nonces are checked, and used once;
/// - a credential with a conflict gets a `pendingToken`;
/// - an old sign-in is rejected;
/// - `autoCreate: false` does not create an account;
/// - a changed password or email address revokes the tokens.
final class FirebaseProject {
    let site: Site
    var id: String { site.settings.projectID }
    let issuer: TokenIssuer?
    private var pools: [String: [String: User]] = [:]
    var tenant = ""
    var users: [String: User] {
        get { pools[tenant] ?? [:] }
        set { pools[tenant] = newValue }
    }
    var sessions: [String: ProjectSession] = [:]
    var usedNonces: Set<String> = []
    var waiting: [String: Claimed] = [:]
    var failures: [String: Int] = [:]
    var allowsDuplicateEmails = false
    var mails: [Mail] = []
    /// Users who must still present the second factor, by their pending credential.
    var waitingForFactor: [String: (user: User, tenant: String, method: Method)] = [:]
    var flows: [String: Flow] = [:]

    init(_ site: Site) throws {
        self.site = site
        let isService = try !HTTPURL(site.settings.base).isLoopback
        issuer = isService ? try TokenIssuer(site, name: FirebaseProject.issuer(of: site.settings.projectID)) : nil
    }

    static func issuer(of project: String) -> String { "https://securetoken.google.com/\(project)" }

    struct ProjectSession {
        let uid: String
        let tenant: String
        let generation: Int
        let authenticatedAt: Int64
        let method: Method
    }

    typealias Identity = (provider: String, rawID: String, email: String?, name: String?)

    /// One account, as `accounts:lookup` shows it.
    struct User {
        var uid: String
        var email: String?
        var isVerified = false
        var name: String?
        var photo: String?
        var isDisabled = false
        /// The custom claims that an administrator set.
        var claims: JSONObject = [:]
        var tokenClaims: JSONObject = [:]
        var password: String?
        var factors: [Factor] = []
        var hasLinks = false
        var createdAt: Int64
        var lastLoginAt: Int64
        /// Seconds since 1970; earlier tokens are invalid.
        var validSince: Int64 = 0
        var generation = 0
        var identities: [Identity] = []

        var providers: [String] { identities.map(\.provider) }

        var methods: [String] {
            providers.flatMap { provider in
                guard provider == "password" else { return [provider] }
                return (password == nil ? [] : ["password"]) + (hasLinks ? ["emailLink"] : [])
            }
        }

        /// Changes the email address, also that of the password identity.
        mutating func move(to email: String) {
            self.email = email
            for index in identities.indices where identities[index].provider == "password" {
                identities[index] = ("password", email, email, nil)
            }
        }

        mutating func set(_ password: String?, links: Bool = false) {
            self.password = password
            hasLinks = links
            guard password?.isEmpty == false || links else { return identities.removeAll { $0.provider == "password" } }
            guard !identities.contains(where: { $0.provider == "password" }), let email else { return }
            identities.append(("password", email, email, nil))
        }
    }

    /// The provider of a sign-in, and the second factor if there was one.
    struct Method {
        let provider: String
        var factor: String?
    }

    struct Refusal: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// The user's claims from a provider's credential.
    struct Claimed {
        var provider: String
        var rawID: String
        var email: String?
        var isTrusted: Bool
        var name: String?
        var profile: JSONObject = [:]

        var identity: Identity { (provider, rawID, email, name) }
    }

    func newUID() throws -> String { String(try site.token().filter { $0 != "-" && $0 != "_" }.prefix(28)) }

    func owner(email: String) -> User? { users.values.first { $0.email?.lowercased() == email.lowercased() } }

    func owner(_ claimed: Claimed) -> User? {
        users.values.first { $0.identities.contains { $0.provider == claimed.provider && $0.rawID == claimed.rawID } }
    }
}

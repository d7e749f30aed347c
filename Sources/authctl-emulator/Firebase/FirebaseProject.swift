import AuthCore

/// A Firebase project behind the paths of the official emulator, that behaves as the service does where the official one
/// does not: nonces are checked and used up, a credential that met a conflict gets a `pendingToken`, an old sign-in is too
/// old, `autoCreate: false` makes no account, and a password or address that changed ends the old tokens.
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
    /// Who has shown a first factor and not the second, by the credential that waits.
    var waitingForFactor: [String: (user: User, tenant: String, method: Method)] = [:]
    var flows: [String: Flow] = [:]

    init(_ site: Site) throws {
        self.site = site
        let isService = try !HTTPURL(site.settings.base).isLoopback
        issuer = isService ? try TokenIssuer(site, name: FirebaseProject.issuer(of: site.settings.projectID)) : nil
    }

    static func issuer(of project: String) -> String { "https://securetoken.google.com/\(project)" }

    /// What a refresh token stands for.
    struct ProjectSession {
        let uid: String
        let tenant: String
        let generation: Int
        let authenticatedAt: Int64
        let method: Method
    }

    /// One account, as `accounts:lookup` shows it.
    struct User {
        var uid: String
        var email: String?
        var isVerified = false
        var name: String?
        var photo: String?
        var isDisabled = false
        /// What an administrator put into its ID tokens.
        var claims: JSONObject = [:]
        var tokenClaims: JSONObject = [:]
        var password: String?
        var factors: [Factor] = []
        var hasLinks = false
        var createdAt: Int64
        var lastLoginAt: Int64
        /// Tokens from before are dead.
        var validSince: Int64 = 0
        var generation = 0
        var identities: [(provider: String, rawID: String, email: String?, name: String?)] = []

        var providers: [String] { identities.map(\.provider) }

        var methods: [String] {
            providers.flatMap { provider in
                guard provider == "password" else { return [provider] }
                return (password == nil ? [] : ["password"]) + (hasLinks ? ["emailLink"] : [])
            }
        }

        /// Changes the address, also that of a password.
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

    /// How somebody signed in: by a provider, and the enrolled factor that was shown besides.
    struct Method {
        let provider: String
        var factor: String?
    }

    struct Refusal: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    /// A person as a provider's credential says.
    struct Claimed {
        var provider: String
        var rawID: String
        var email: String?
        var isTrusted: Bool
        var name: String?
        var said: JSONObject = [:]
    }

    func newUID() throws -> String { String(try site.token().filter { $0 != "-" && $0 != "_" }.prefix(28)) }

    func owner(email: String) -> User? { users.values.first { $0.email == email } }

    func owner(_ claimed: Claimed) -> User? {
        users.values.first { $0.identities.contains { $0.provider == claimed.provider && $0.rawID == claimed.rawID } }
    }
}

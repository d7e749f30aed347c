import AuthCore

/// A git credential request and its response (git-credential(1), "INPUT/OUTPUT FORMAT").
struct GitCredential: Equatable {
    var scheme: String?
    var host: String?
    /// Git only sends the path with `credential.useHttpPath`.
    var path: String?
    var userName: String?
    var password: String?
    var credential: String?
    var understandsAuthType = false
    var challenges: [String] = []

    static func allowsPrompts(_ environment: Environment) -> Bool {
        !["0", "false", "no", "off"].contains(environment["GIT_TERMINAL_PROMPT"]?.lowercased() ?? "")
    }

    static let maximumLength = 64 * 1024
    private static let malformed: UsageProblem = "git's request is not a list of key=value lines"

    init(_ input: [UInt8]) throws(UsageProblem) {
        guard input.count <= GitCredential.maximumLength else { throw "git's request is too long" }
        for line in input.split(separator: 10, omittingEmptySubsequences: false) {
            if line.isEmpty { return }
            guard !line.contains(13), !line.contains(0), let equals = line.firstIndex(of: UInt8(ascii: "=")),
                equals > line.startIndex, let value = String(validating: line[(equals + 1)...], as: UTF8.self)
            else { throw GitCredential.malformed }
            switch String(decoding: line[..<equals], as: UTF8.self) {
            case "protocol": scheme = value
            case "host": host = value
            case "path": path = value
            case "username": userName = value.isEmpty ? nil : value
            case "password": password = value
            case "credential": credential = value
            case "url":
                // An invalid URL could name a different host than the `host` line before it.
                guard let url = try? HTTPURL(value) else { throw GitCredential.malformed }
                scheme = url.isSecure ? "https" : "http"
                host = url.authority
                path = String(url.path.drop { $0 == "/" })
            case "capability[]": if value == "authtype" { understandsAuthType = true }
            case "wwwauth[]":
                if let scheme = value.split(separator: " ").first { challenges.append(scheme.lowercased()) }
            default: continue
            }
        }
    }

    var url: HTTPURL? {
        guard let scheme, let host, scheme == "https" || scheme == "http" else { return nil }
        return HTTPURL(scheme: scheme, authority: host)
    }

    var requestsBearer: Bool { understandsAuthType && challenges.contains("bearer") && !challenges.contains("basic") }

    func account(excluding tokenUserNames: [String]) -> String? {
        userName.flatMap { tokenUserNames.contains($0) ? nil : $0 }
    }

    func response(_ token: CurrentToken.Result, userName: String) -> String {
        let secret = token.token.revealed()
        var lines =
            requestsBearer
            ? ["capability[]=authtype", "authtype=Bearer", "credential=\(secret)", "ephemeral=1"]
            : ["username=\(self.userName ?? userName)", "password=\(secret)"]
        if let expiresAt = token.expiresAt { lines.append("password_expiry_utc=\(expiresAt)") }
        return lines.joined(separator: "\n")
    }
}

import FoundationEssentials
import TestSupport
import Testing

@testable import AuthCore

/// What a service must receive, from a line of facts.tsv. Somebody else wrote the facts down from the same sources.
struct CatalogFacts {
    /// Where an entry has another value than its line, and why.
    static let differences = """
        bitbucket | scopes | account | the entry reads no address
        box | scopes | - | without a scope, those of the app are granted
        cilogon | scopes | openid email profile | the other scope is not needed for the identity
        cloudflare | scopes | offline_access | the scope for the identity was not confirmed
        cloudflare | identity | - | the scope for the identity was not confirmed
        codeberg | issuer_or_authorization | issuer https://codeberg.org/ | its metadata names these endpoints
        figma | scopes | current_user:read | the other scopes are for ID tokens, which the entry does not use
        forgejo | issuer_or_authorization | issuer https://{host}/ | its metadata names these endpoints
        gitea | issuer_or_authorization | issuer https://{host}/ | its metadata names these endpoints
        hubspot | identity | - | the access token is part of the URL
        kakao | identity | id_token | OpenID Connect is there too, and needs no API
        kakao | scopes | openid profile_nickname | the address needs an approval of Kakao
        kakao | secret | required | the methods have no 'none'
        lichess | redirect | any-port 127.0.0.1,localhost | nothing is registered there
        lichess | scopes | - | the address is not needed
        line | identity | GET https://api.line.me/oauth2/v2.1/userinfo sub | the ID tokens are signed with HS256
        line | issuer_or_authorization | https://access.line.me/oauth2/v2.1/authorize | without ID tokens, no metadata is needed
        line | revocation | - | it does not take the parameters of RFC 7009
        line | scopes | openid profile | the address needs an approval of LINE
        line | token | https://api.line.me/oauth2/v2.1/token | without ID tokens, no metadata is needed
        notion | revocation | - | whether it accepts a form was not confirmed
        pagerduty | identity | GET https://api.pagerduty.com/users/me user.id | the entry has a further source
        reddit | headers | - | authctl sends its own User-Agent
        reddit | secret | required | without a secret, Basic with an empty password is needed
        sentry | scopes | org:read | the entry uses no ID tokens
        slack | redirect | unknown localhost | an app with PKCE may have http; not confirmed
        snowflake | scopes | refresh_token | without a role, the default role of the user counts
        strava | fixed_parameters | approval_prompt=auto | the entry writes the default out
        todoist | identity | - | the API takes a form
        twitch | secret | required | public clients have only the device flow
        vercel | token_auth | basic,post,none | the entry calls the secret not confirmed
        webex | identity | GET https://webexapis.com/v1/userinfo sub | userinfo needs no scope of the API
        wikimedia | headers | - | authctl sends its own User-Agent
        wikimedia | secret | required | a public client was not confirmed
        xero | headers | - | the tenant is chosen for each request
        """.split(separator: "\n").map { Difference($0) }

    struct Difference {
        let name, column, value, reason: String

        init(_ line: Substring) {
            let parts = line.split(separator: "|").map { String($0).trimmingSpaces() }
            (name, column, value, reason) = (parts[0], parts[1], parts[2], parts[3])
        }
    }

    let entry: CatalogEntry
    private var cells: [String: String]

    init(of entry: CatalogEntry, corrected: Bool = true) throws {
        self.entry = entry
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "facts.tsv")
        let rows = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let row = try #require(rows.first { $0[0] == entry.name }, "facts.tsv has no line for \(entry.name)")
        cells = Dictionary(uniqueKeysWithValues: zip(rows[0], row))
        guard corrected else { return }
        for difference in CatalogFacts.differences where difference.name == entry.name {
            cells[difference.column] = difference.value
        }
    }

    func cell(_ column: String) -> String? { cells[column] }

    /// The fact, with the user's answers in it; nil if there is none.
    subscript(_ column: String) -> String? {
        guard let cell = cells[column], !["-", "unknown", "none"].contains(cell) else { return nil }
        return filled(cell)
    }

    private func words(_ column: String) -> [String] { self[column]?.split(separator: " ").map(String.init) ?? [] }

    private func filled(_ text: String) -> String {
        let answers = answers
        return text.replacing(/\{([a-z_]+)\}/) { match in
            let name = String(match.1)
            return name == "client_id" ? CatalogRun.clientID : answers[name] ?? name
        }
    }

    /// The answers to the questions of the entry.
    var answers: [String: String] {
        entry.questions.reduce(into: [:]) { answers, question in
            let name = question.name
            if let form = question.form?.filter({ !"{}".contains($0) }) {
                answers.merge(entry.answers(in: form, to: question) ?? [:]) { $1 }
            }
            let whole = cells["answers"].flatMap { $0.hasPrefix("\(name)=") ? $0.dropFirst(name.count + 1) : nil }
            answers[name] =
                whole.map { $0.replacing("{client_id}", with: CatalogRun.clientID).filter { !"{}".contains($0) } }
                ?? question.standard
                ?? ([.label, .segment].contains(question.kind) ? name : "\(name).example.com")
        }
    }

    /// The issuer of a service with metadata.
    var issuer: String? {
        self["issuer_or_authorization"].flatMap { $0.hasPrefix("issuer ") ? String($0.dropFirst(7)) : nil }
    }

    func endpoint(_ path: String, _ column: String) -> String {
        issuer.map { ($0.hasSuffix("/") ? String($0.dropLast()) : $0) + path } ?? self[column] ?? "no \(column)"
    }

    var token: String { endpoint("/token", "token") }
    var hasIDTokens: Bool { cells["identity"] == "id_token" }
    var isRefreshed: Bool { cells["refresh_by"] != "never" }
    /// The methods of client authentication, as metadata names them.
    var methods: [String] {
        let names = ["basic": "client_secret_basic", "post": "client_secret_post"]
        return self["token_auth"]?.split(separator: ",").map { names[String($0)] ?? String($0) } ?? []
    }
    /// Where the JSON of the API, or of the token response, has the user's ID.
    var path: [String] { hasIDTokens ? [] : words("identity").last?.split(separator: ".").map(String.init) ?? [] }

    // MARK: Comparisons

    /// Checks what is not part of a request.
    func checkSettings() throws {
        switch cells["secret"] {
        case "required": #expect(entry.secret == .required)
        case "optional": #expect(entry.secret != .required)
        case "none": #expect(entry.secret == .none)
        default: break
        }
        let uri = entry.redirectURI.flatMap { try? HTTPURL($0) }
        let rule = words("redirect")
        #expect((uri?.explicitPort == nil) == (rule.first == "any-port"))
        if rule.first ?? "unknown" == "unknown" { #expect(entry.unconfirmed.contains("redirect")) }
        let provider = try entry.answering(answers).provider(clientID: CatalogRun.clientID)
        // A single scope has no separator in a request.
        if cells["separator"] != "unknown" { #expect(provider.scopeSeparator == separator) }
        // `prompt=consent` would be sent for offline_access, too.
        #expect(Set(provider.parameters.map { "\($0.0)=\($0.1)" }) == Set(parameters))
        #expect(provider.apiHeaders.map { "\($0.0)=\($0.1)" } == [cells["headers"]].compactMap { $0 == "-" ? nil : $0 })
        if rule.count > 1 { #expect(rule[1].split(separator: ",").contains { $0 == uri?.host ?? "" }) }
    }

    private var separator: String { cells["separator"] == "comma" ? "," : " " }
    /// What every authorization request has.
    private var parameters: [String] {
        let refresh = words("refresh_by")
        return words("fixed_parameters") + (refresh.first == "parameter" ? [refresh[1]] : [])
    }

    func authorizationRequest(_ run: CatalogRun) -> CatalogRun.Request {
        var scopes = words("scopes")
        let refresh = words("refresh_by")
        if refresh.first == "scope", !scopes.contains(refresh[1]) { scopes.append(refresh[1]) }
        var parameters = [
            "response_type": "code", "client_id": CatalogRun.clientID, "redirect_uri": run.redirectURI,
            "state": CatalogRun.random, "code_challenge": CatalogRun.challenge, "code_challenge_method": "S256",
        ]
        if !scopes.isEmpty { parameters["scope"] = scopes.sorted().joined(separator: separator) }
        if hasIDTokens { parameters["nonce"] = CatalogRun.random }
        // OpenID Connect Core section 11.
        if scopes.contains("offline_access"), refresh.last != "silently" { parameters["prompt"] = "consent" }
        for pair in self.parameters {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            parameters[parts[0]] = parts[1]
        }
        return .init("GET", endpoint("/authorize", "issuer_or_authorization"), parameters)
    }

    /// The requests after the callback: for tokens, for the user, a refresh, and a revocation.
    func requests(_ run: CatalogRun, _ secret: ClientSecret?) -> [CatalogRun.Request] {
        let method = run.client.authentication.method.rawValue
        if !methods.isEmpty { #expect(methods.contains(method)) }
        func token(_ url: String, _ parameters: [String: String]) -> CatalogRun.Request {
            var request = CatalogRun.Request("POST", url, parameters)
            let id = CatalogRun.clientID
            switch method {
            case "client_secret_basic":
                request.headers["Authorization"] =
                    "Basic " + Base64.encode(Array("\(id):\(secret?.revealed() ?? "")".utf8))
            case "client_secret_post": request.parameters["client_secret"] = secret?.revealed()
            default: break
            }
            if method != "client_secret_basic" { request.parameters["client_id"] = id }
            return request
        }
        var requests = [
            token(
                self.token,
                [
                    "grant_type": "authorization_code", "code": CatalogRun.code, "redirect_uri": run.redirectURI,
                    "code_verifier": CatalogRun.verifier,
                ])
        ]
        let identity = words("identity")
        if ["GET", "POST"].contains(identity.first) {
            var request = CatalogRun.Request(identity[0], identity[1], [:])
            request.headers["Authorization"] = "Bearer \(CatalogRun.accessToken)"
            if let header = self["headers"]?.split(separator: "=", maxSplits: 1).map(String.init) {
                request.headers[header[0]] = header[1]
            }
            requests.append(request)
        }
        let refreshToken = CatalogRun.refreshToken
        if isRefreshed {
            var parameters = ["grant_type": "refresh_token", "refresh_token": refreshToken]
            if words("refresh_by").last == "redirect_uri" { parameters["redirect_uri"] = entry.redirectURI }
            requests.append(token(self.token, parameters))
        }
        if let url = self["revocation"] {
            requests.append(token(url, ["token": refreshToken, "token_type_hint": "refresh_token"]))
        }
        return requests
    }
}

import AuthCore

extension ProviderCheck.Finding {
    var name: String {
        switch self {
        case .builtIn: "endpoints"
        case .discovered: "discovery"
        case .keys: "keys"
        case .clock: "clock"
        case .redirect: "redirect"
        case .pushedRequests: "pushed requests"
        case .boundTokens: "bound tokens"
        case .certificate: "certificate"
        case .mutualTLS: "mutual TLS"
        case .authority: "CA file"
        case .app: "app"
        case .client, .refusedClient, .deviceFlowOnly, .noSecret: "client"
        case .fapi2: "FAPI 2.0"
        }
    }

    var detail: String {
        switch self {
        case .builtIn(let origin): "built in, at '\(origin)'"
        case .discovered(let issuer): "issuer '\(issuer)'"
        case .keys(let count, let algorithms):
            "\(count) usable; \(algorithms.map(\.rawValue).sorted().joined(separator: " "))"
        case .clock(nil): "the server does not send its time"
        case .clock(0?): "same as the server's"
        case .clock(let ahead?): "\(RelativeTime.ahead(ahead)) the server's"
        case .redirect(let uri?, _): "'\(uri)' must be registered at the provider"
        case .redirect(nil, _): "none: set a public one with --redirect-uri"
        case .pushedRequests(false, let isRequired, _):
            "\(isRequired ? "required by the provider" : "required by the configuration"), but its metadata has no PAR endpoint"
        case .pushedRequests(true, true, _): "required; used"
        case .pushedRequests(true, false, let isRequested):
            isRequested ? "supported; used" : "supported; not used without --par"
        case .boundTokens(nil, _): "requested; the provider's metadata does not say whether it supports DPoP"
        case .boundTokens(let algorithms?, let isRequested):
            algorithms.isEmpty
                ? "\(isRequested ? "requested, but " : "")not supported with any algorithm that authctl supports"
                : "supported (\(algorithms.map(\.rawValue).joined(separator: " ")))"
                    + (isRequested ? ", and used" : "; not used without --dpop")
        case .certificate(let subject, let days, nil):
            "\(subject.certified), valid for \(span(days: days))\(days < 30 ? ": renew it soon" : "")"
        case .certificate(let subject, _, let fault?): "\(subject.certified): \(fault.message)"
        case .mutualTLS(let methods, let bindsTokens, let hasAliases, let isUsed):
            (methods.map { "'\($0.rawValue)'" } + (bindsTokens ? ["certificate-bound tokens"] : [])
                + (hasAliases ? ["custom endpoints"] : [])).offered + (isUsed ? "" : "; not used without --certificate")
        case .authority(let file, let isNeeded):
            "'\(shown: file)' \(isNeeded ? "has the server's CA" : "is not needed: the server's CA is trusted without it")"
        case .fapi2(let rule, let fault): "\(rule.section) \(rule.name): \(fault?.message ?? "passed")"
        case .client(let method, let isListed):
            "'\(method.rawValue)'\(isListed ? "" : ", which its metadata does not list")"
        case .refusedClient(let code, let description):
            "the provider rejects it: \(ClientCheck.reason(code, description))"
        case .app(let app): "'\(app.name)', which can be installed at '\(app.page)'"
        case .deviceFlowOnly(let reason): "no secret: it uses the device flow; \(reason.description)"
        case .noSecret(let reason): "no secret: \(reason.description)"
        }
    }
}

/// A number of days in words.
private func span(days: Int64) -> String {
    switch days {
    case ...0: "less than a day"
    case 1: "a day"
    default: "\(days) days"
    }
}

extension ClientCheck {
    /// Why the provider rejects a client, in the provider's words.
    static func reason(_ code: String, _ description: ServerText?) -> String {
        description.map { "\(code): \($0)" } ?? code
    }
}

extension [String] {
    fileprivate var offered: String { isEmpty ? "not in the metadata" : "offered: " + joined(separator: ", ") }
}

extension ServerText {
    fileprivate var certified: String { description.isEmpty ? "its subject is empty" : "'\(self)'" }
}

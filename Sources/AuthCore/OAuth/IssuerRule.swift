/// The issuers that are accepted in a provider's responses and ID tokens.
package enum IssuerRule: Sendable, Equatable {
    /// The spellings of one issuer, compared byte for byte. The first one is the issuer.
    case spellings([String])
    case tenants(TenantIssuers)
    /// The provider does not issue ID tokens. The `iss` of a response must have this origin.
    case origin(String)

    package static func exact(_ issuer: String) -> IssuerRule { .spellings([issuer]) }

    func issuer(of named: String, tenant: String?, keyIssuer: String?) -> String? {
        switch self {
        case .spellings(let issuers): issuers.containsBytes(of: named) ? issuers.first : nil
        case .tenants(let rule): rule.accepts(named, tenant: tenant, keyIssuer: keyIssuer) ? named : nil
        case .origin: nil
        }
    }

    /// The expected issuer in an error message.
    var expected: String {
        switch self {
        case .origin(let issuer): issuer
        case .spellings(let issuers): issuers.first ?? ""
        case .tenants(let rule): rule.template
        }
    }

    var only: String? { if case .spellings(let issuers) = self { issuers.first } else { nil } }

    /// Whether an authorization response may name this issuer (RFC 9207 section 2.4).
    func matches(_ named: String) -> Bool {
        switch self {
        case .spellings(let issuers): issuers.containsBytes(of: named)
        case .tenants(let rule): rule.tenant(of: named).map(rule.allows) ?? false
        case .origin(let origin): ((try? HTTPURL(named))?.origin).hasSameBytes(as: origin)
        }
    }
}

/// The issuers of a provider with tenants: `https://login.microsoftonline.com/{tenantid}/v2.0`.
package struct TenantIssuers: Sendable, Equatable {
    /// Which tenants may sign in.
    package enum Allowed: Sendable, Equatable {
        case every
        case only(String)
        case everyBut(String)
    }

    package let template: String
    package let allowed: Allowed

    static let placeholder = "{tenantid}"

    package func issuer(of tenant: String) -> String { template.replacing(TenantIssuers.placeholder, with: tenant) }

    package func tenant(of issuer: String) -> String? {
        let parts = template.split(separator: TenantIssuers.placeholder, omittingEmptySubsequences: false)
        guard parts.count == 2, issuer.hasPrefix(parts[0]), issuer.hasSuffix(parts[1]),
            issuer.utf8.count == parts[0].utf8.count + parts[1].utf8.count + 36
        else { return nil }
        let tenant = String(issuer.dropFirst(parts[0].count).prefix(36))
        return TenantIssuers.isGUID(tenant) ? tenant : nil
    }

    func allows(_ tenant: String) -> Bool {
        switch allowed {
        case .every: true
        case .only(let one): tenant.hasSameBytes(as: one)
        case .everyBut(let one): !tenant.hasSameBytes(as: one)
        }
    }

    func accepts(_ issuer: String, tenant: String?, keyIssuer: String?) -> Bool {
        guard let tenant, TenantIssuers.isGUID(tenant), allows(tenant), issuer.hasSameBytes(as: self.issuer(of: tenant))
        else { return false }
        // A key with an issuer may sign only for that tenant; with the template, for every tenant.
        guard let keyIssuer else { return true }
        return keyIssuer.replacing(TenantIssuers.placeholder, with: tenant).hasSameBytes(as: issuer)
    }

    package static func isGUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0) || $0 == 0x2D }
    }
}

extension Dialect {
    static let microsoft = Dialect(
        endpoints: Endpoints(
            issuer: .tenants("https://login.microsoftonline.com/{tenantid}/v2.0"),
            authorization: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
            token: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
            keys: ["https://login.microsoftonline.com/{tenant}/discovery/v2.0/keys"],
            userInfo: "https://graph.microsoft.com/oidc/userinfo",
            endSession: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/logout",
            deviceAuthorization: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/devicecode",
            api: "https://graph.microsoft.com", apiHosts: ["https://graph.microsoft.com"]),
        defaultScopes: ["openid", "profile", "email", "offline_access"],
        // The claim `oid` requires the scope `profile`.
        requiredScopes: ["openid", "profile"], namesResourceInScopes: true,
        knownParameters: [
            KnownParameter("domain_hint", .organizationDomain),
            KnownParameter("prompt", .oneOf(["login", "none", "consent", "select_account"])),
            KnownParameter("login_hint", .expectedUser(not: "prompt=select_account")),
        ],
        optionNames: [
            .loginHint: "login_hint", .prompt: "prompt", .maximumAge: "max_age", .language: "ui_locales",
        ],
        redirect: .anyPort(host: "localhost"), secretMethod: .clientSecretPost, grants: Microsoft.grants,
        identity: Microsoft.identity, workloadGrant: .clientAssertion, reauthentication: [("prompt", "login")],
        project: .init(rejectsCredentials: true),
        registration: .init(
            url: "https://entra.microsoft.com", kind: .mobileAndDesktop,
            fields: [.name("Name"), .redirectURI("Redirect URI"), .publicClientFlows],
            details: [.tenant, .clientID("Application (client) ID", .guid)], owner: "Microsoft"))
}

/// Microsoft's tenants (Microsoft identity platform, "OpenID Connect on the Microsoft identity platform").
package enum Microsoft {
    package static let personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The tenants that a name stands for; nil for a domain, whose GUID must be looked up.
    static func allowed(_ tenant: String) -> TenantIssuers.Allowed? {
        switch tenant {
        case "common": .every
        case "organizations": .everyBut(personalTenant)
        case "consumers": .only(personalTenant)
        default: TenantIssuers.isGUID(tenant) ? .only(tenant) : nil
        }
    }

    /// Granted scopes of Graph may have its URL as a prefix or not. They never include `offline_access`.
    @Sendable static func grants(_ granted: [String], _ requested: String) -> Bool {
        func short(_ scope: String) -> String {
            let graph = "https://graph.microsoft.com/"
            return (scope.hasPrefix(graph) ? String(scope.dropFirst(graph.count)) : scope).lowercased()
        }
        return requested == "offline_access" || granted.contains { short($0) == short(requested) }
    }

    @Sendable static func identity(_ source: ProfileSource) throws -> Identity {
        guard let tenant = source.claims["tid"]?.string else { throw IDTokenRejection.claim("tid") }
        guard let object = source.claims["oid"]?.string, !object.isEmpty else { throw IDTokenRejection.claim("oid") }
        let email = source.text("email")
        return Identity(
            key: source.key(padded(object)), email: email,
            isEmailVerified: ProfileSource.bounded(source.claims["email"]) != nil
                && isVerifiedDomain(source.claims["xms_edov"]), displayName: source.text("name"), tenantID: tenant)
    }

    static func padded(_ object: String) -> String {
        let isHexadecimal = object.utf8.allSatisfy { $0.isDigit || (0x61...0x66).contains($0 | 0x20) }
        guard object.utf8.count == 16, isHexadecimal else { return object }
        return "00000000-0000-0000-\(object.prefix(4))-\(object.dropFirst(4))".lowercased()
    }

    private static func isVerifiedDomain(_ claim: JSONValue?) -> Bool {
        ProfileSource.isTrue(claim) || claim == "1" || claim?.number?.integer == 1
    }
}

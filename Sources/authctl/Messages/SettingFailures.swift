import AuthCore

extension SettingFault {
    var message: String {
        switch self {
        case .missing(let names): "\(SettingFault.quoted(names, " and ")) \(names.count == 1 ? "is" : "are") required"
        case .misspelled(let name, let key, let line):
            "'\(name)' is required; line \(line): unknown key '\(shown: key)', did you mean '\(name)'?"
        case .notText: "it is not a string"
        case .notAMapping: "it is not a mapping of strings"
        case .unknown(let text): "'\(text)' is not known"
        case .noneOf(let choices, let text): "'\(text)' is neither \(choices.joined(separator: " nor "))"
        case .notPrintable: "it has invalid characters (RFC 6749 A.1)"
        case .notAPath(let text): "'\(text)' is not a path"
        case .notANumber(let text): "'\(text)' is not a number"
        case .header(let name): "'\(name)' cannot be set, or its value is invalid"
        case .notHTTPSURL(let text): "'\(text)' is not an https URL"
        case .userName(let text): "'\(text)' has a user name before its host"
        case .malformedHost(let text): "'\(text)' has an invalid host"
        case .query(let text): "'\(text)' has a query"
        case .takenHost(let host): "'\(host)' is part of authctl's own catalog"
        case .builtIn: "it is built in; use 'base_url' to change the host"
        case .issuerOfBuiltIn(let id): "'\(id)' is built in and its value is fixed"
        case .onlyForBuiltIn: "only built-in providers support it; change 'issuer'"
        case .notInProjects: "a Firebase project has no such providers"
        case .onlyForPlainOAuth: "only 'oauth.NAME' supports it"
        case .endpointOutsideIssuer(let url):
            "the token endpoint '\(url)' is not below the issuer and could belong to another server"
        case .withoutTenants: "this provider has no tenants"
        case .notATenant(let text): "'\(text)' must be a GUID, a domain, common, organizations or consumers"
        case .noSuchTenant(let domain): "tenant not found: '\(domain)'"
        case .notAGUID(let text): "'\(text)' is not a GUID"
        case .tenantNeeded: "a client without a user signs in to one tenant: set it"
        case .secretNeeded(let method): "'\(method.rawValue)' requires a client secret"
        case .keyNeeded(let method): "'\(method.rawValue)' requires a private key"
        case .certificateNeeded(let method): "'\(method.rawValue)' requires a certificate (--certificate)"
        case .notListed(let value): "the provider's metadata does not list '\(value)'"
        case .certificateWithoutTLS(let method): "'\(method.rawValue)' requires an https token endpoint"
        case .certificateWithoutSubject:
            "its subject is empty, so it cannot be registered automatically: register the client by hand"
        case .certificateWithoutKey: "its key is neither in that file nor in the file of --private-key"
        case .certificateExpired(let end): "the certificate expired at \(HTTPDate.rfc3339(end))"
        case .certificateNotYetValid(let begin):
            "the certificate is not valid before \(HTTPDate.rfc3339(begin)) by this machine's clock"
        case .notOfKey(let algorithm, let family):
            "'\(algorithm.rawValue)' does not match the private key, which is \(SettingFault.key(family))"
        case .keyNotSupported(let family, let taken):
            "the key is \(SettingFault.key(family)), but the provider supports \(SettingFault.names(taken))"
        case .incompleteSecret(let missing):
            "its client secret is derived from a team ID, a key ID and a private key: \(SettingFault.quoted(missing, ", ")) missing"
        case .notP256: "it is not a P-256 key from a .p8 file"
        case .notRSA: "it is not an RSA key"
        case .noAssertions(let id):
            "'\(id)' cannot issue identity assertions: it is built in, or gets its own tokens with them"
        }
    }

    private static func quoted(_ names: [String], _ separator: String) -> String {
        names.map { "'\($0)'" }.joined(separator: separator)
    }

    private static func names(_ algorithms: [SignatureAlgorithm]) -> String {
        algorithms.map(\.rawValue).joined(separator: ", ")
    }

    private static func key(_ family: SignatureAlgorithm.Family) -> String {
        "\(family.name) (\(names(family.algorithms)))"
    }
}

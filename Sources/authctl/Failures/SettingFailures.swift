import AuthCore

extension SettingFault {
    /// What is wrong with it, behind its name and a colon.
    var message: String {
        switch self {
        case .missing(let names): "\(SettingFault.quoted(names, " and ")) \(names.count == 1 ? "is" : "are") needed"
        case .misspelled(let name, let key, let line):
            "'\(name)' is needed; line \(line): unknown key '\(ServerText.shown(key))', did you mean '\(name)'?"
        case .notText: "it is no text"
        case .unknown(let text): "'\(text)' is not known"
        case .noneOf(let words, let text): "'\(text)' is neither \(words.joined(separator: " nor "))"
        case .notPrintable: "it has characters that none may have (RFC 6749 A.1)"
        case .noPath(let text): "'\(text)' is no path"
        case .noHTTPSURL(let text): "'\(text)' is no https URL"
        case .userName(let text): "'\(text)' has a user name before its host"
        case .doubtfulHost(let text): "'\(text)' has no host that can be trusted to be one"
        case .query(let text): "'\(text)' has a query"
        case .builtIn: "it is built in; 'base_url' moves it as a whole"
        case .issuerOfBuiltIn(let id): "'\(id)' is built in and has its own"
        case .onlyForBuiltIn: "only built-in providers have one; change its 'issuer'"
        case .endpointElsewhere(let url):
            "the token endpoint '\(url)' is not below the issuer: it could be another server's"
        case .withoutTenants: "this provider has no tenants"
        case .noTenant(let text): "'\(text)' is neither a GUID, a domain, common, organizations nor consumers"
        case .noSuchTenant(let domain): "there is no tenant '\(domain)'"
        case .noGUID(let text): "'\(text)' is no GUID"
        case .tenantNeeded: "a program signs in to one tenant: name it"
        case .secretNeeded(let method): "'\(method.rawValue)' needs a client secret"
        case .keyNeeded(let method): "'\(method.rawValue)' needs a private key"
        case .certificateNeeded(let method): "'\(method.rawValue)' needs a certificate (--certificate)"
        case .certificateWithoutTLS(let method): "'\(method.rawValue)' needs an https token endpoint"
        case .certificateWithoutSubject: "it has no subject to be registered by: register the client there by hand"
        case .certificateWithoutKey: "its key is neither in that file nor in one that --private-key names"
        case .certificateExpired(let end): "the certificate has expired at \(HTTPDate.rfc3339(end))"
        case .certificateNotYetValid(let begin):
            "the certificate is not good before \(HTTPDate.rfc3339(begin)), by this machine's clock"
        case .notOfKey(let algorithm, let family):
            "'\(algorithm.rawValue)' is not what the private key is for: it is \(SettingFault.key(family))"
        case .keyNotTaken(let family, let taken):
            "the key is \(SettingFault.key(family)), and the provider takes \(SettingFault.names(taken)); 'key_alg' insists"
        case .incompleteSecret(let missing):
            "its client secret is made of a team ID, a key ID and a private key: \(SettingFault.quoted(missing, ", ")) missing"
        case .notP256: "it is no P-256 key, as a .p8 file has it"
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

/// Finds the GUID of a tenant by its domain. The metadata for the domain names the GUID in the issuer.
struct TenantLookup: Sendable {
    let fetcher: DocumentFetcher

    /// The provider with a tenant that its issuer rule can compare; unchanged if no lookup is required.
    func resolved(_ provider: Provider) async throws -> Provider {
        guard let tenant = provider.tenant else { return provider }
        guard case .tenants(let template)? = provider.dialect.endpoints?.issuer else {
            throw provider.invalid("tenant", .withoutTenants)
        }
        guard Microsoft.allowed(tenant) == nil else { return provider }
        var found = provider
        found.tenant = tenant.lowercased()
        if TenantIssuers.isGUID(tenant.lowercased()) { return found }
        guard tenant.hasOnlyLettersAndDigits(or: "-."), tenant.contains(".") else {
            throw provider.invalid("tenant", .notATenant(ServerText(tenant)))
        }
        let rule = TenantIssuers(template: provider.moved(template), allowed: .every)
        found.tenant = try await guid(of: tenant.lowercased(), rule)
        return found
    }

    private func guid(of domain: String, _ rule: TenantIssuers) async throws -> String {
        let url = try Discovery.Document.openID.url(of: HTTPURL(rule.issuer(of: domain)))
        let request = HTTPRequest(.get, url, headers: HTTPRequest.acceptJSON)
        do {
            return try await fetcher.document(request, key: "tenant \(url.text)") { document in
                let object: JSONObject
                do throws(JSONError) { object = try StrictJSON.object(body: document.body) } catch {
                    throw DiscoveryError.document(error)
                }
                let named = object["issuer"]?.string
                guard let named, let guid = rule.tenant(of: named) else {
                    throw DiscoveryError.issuerMismatch(expected: rule.template, found: named.map { ServerText($0) })
                }
                return guid
            }
        } catch DocumentError.status(let status, _) where status == 400 || status == 404 {
            throw ProviderError.invalid(setting: "tenant", .noSuchTenant(domain))
        }
    }
}

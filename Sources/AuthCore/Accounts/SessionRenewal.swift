/// How the session of a machine is made anew: what was asked for, and nothing secret.
package struct SessionRenewal: Sendable, Equatable {
    /// The CI system and what is asked of it; nil for a program with a secret of its own.
    package var workload: Workload?
    /// What is asked of the provider's token endpoint; nil where the CI system's token is all there is.
    package var grant: TokenRequest?

    package struct Workload: Sendable, Equatable {
        package var platform: String
        package var request: WorkloadRequest

        package init(platform: String, request: WorkloadRequest) {
            self.platform = platform
            self.request = request
        }
    }

    package struct TokenRequest: Sendable, Equatable {
        /// How the CI system's token is used; nil for client credentials.
        package var kind: TokenEndpoint.WorkloadGrant?
        package var scopes: [String]
        package var parameters: [Parameter]

        package init(kind: TokenEndpoint.WorkloadGrant?, scopes: [String], parameters: [(String, String)]) {
            self.kind = kind
            self.scopes = scopes
            self.parameters = parameters.map { Parameter(name: $0.0, value: $0.1) }
        }
    }

    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package init(workload: Workload?, grant: TokenRequest?) {
        self.workload = workload
        self.grant = grant
    }
}

extension SessionRenewal {
    /// As JSON, for the store.
    var text: String {
        var object = JSONObject()
        if let workload {
            let request = workload.request
            object["platform"] = .string(workload.platform)
            object["audience"] = JSONValue(request.audience)
            object["issuer"] = JSONValue(request.issuer)
            object["source"] = JSONValue(request.source)
            object["required"] = JSONValue(pairs: request.required.map { ($0.name, $0.value) })
        }
        if let grant {
            object["grant"] = .string(grant.kind?.rawValue ?? "client-credentials")
            object["scopes"] = JSONValue(grant.scopes)
            object["parameters"] = JSONValue(pairs: grant.parameters.map { ($0.name, $0.value) })
        }
        return JSONValue.object(object).text
    }

    init?(text: String) {
        guard let object = try? StrictJSON.object(Array(text.utf8)) else { return nil }
        if let platform = object["platform"]?.string {
            var request = WorkloadRequest()
            request.audience = object["audience"]?.string
            request.issuer = object["issuer"]?.string
            request.source = object["source"]?.string
            request.required = (object["required"]?.pairs ?? []).map { ClaimRequirement(name: $0, value: $1) }
            workload = Workload(platform: platform, request: request)
        }
        if let kind = object["grant"]?.string {
            grant = TokenRequest(
                kind: TokenEndpoint.WorkloadGrant(rawValue: kind), scopes: object["scopes"]?.strings ?? [],
                parameters: object["parameters"]?.pairs ?? [])
        }
        guard workload != nil || grant != nil else { return nil }
    }
}

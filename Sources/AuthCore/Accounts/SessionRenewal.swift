/// How the session of a workload is renewed: the request's parameters, without secrets.
package struct SessionRenewal: Sendable, Equatable, Codable {
    package var workload: Workload?
    package var grant: TokenRequest?

    package struct Workload: Sendable, Equatable, Codable {
        package var platform: String
        package var request: WorkloadRequest
    }

    package struct TokenRequest: Sendable, Equatable, Codable {
        package var kind: TokenEndpoint.WorkloadGrant?
        package var scopes: [String]
        package var parameters: [Parameter]

        package init(kind: TokenEndpoint.WorkloadGrant?, scopes: [String], parameters: [(String, String)]) {
            self.kind = kind
            self.scopes = scopes
            self.parameters = parameters.map { Parameter(name: $0.0, value: $0.1) }
        }
    }

    package struct Parameter: Sendable, Equatable, Codable {
        package let name: String
        package let value: String
    }
}

/// How the session of a machine is made anew: what was asked for, and nothing secret.
package struct SessionRenewal: Sendable, Equatable, Codable {
    /// The CI system and what is asked of it; nil for a program with a secret of its own.
    package var workload: Workload?
    /// What is asked of the provider's token endpoint; nil where the CI system's token is all there is.
    package var grant: TokenRequest?

    package struct Workload: Sendable, Equatable, Codable {
        package var platform: String
        package var request: WorkloadRequest
    }

    package struct TokenRequest: Sendable, Equatable, Codable {
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

    package struct Parameter: Sendable, Equatable, Codable {
        package let name: String
        package let value: String
    }
}

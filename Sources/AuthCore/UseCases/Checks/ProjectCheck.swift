/// Checks a Firebase project for `doctor`: whether its API key is valid and the redirect URI's domain is authorized.
package struct ProjectCheck: Sendable {
    let services: Services

    package init(services: Services) { self.services = services }

    package struct Result: Sendable, Equatable {
        package let redirectURI: String
        package let isAuthorized: Bool?
    }

    package func run(_ project: FirebaseProject) async throws -> Result {
        let redirectURI = project.settings.redirectURI ?? FirebaseSettings.defaultRedirectURI
        let domains = try await IdentityToolkit(project: project, transport: services.transport).authorizedDomains()
        let host = try HTTPURL(redirectURI).host
        return Result(redirectURI: redirectURI, isAuthorized: project.isEmulated ? nil : domains.contains(host))
    }
}

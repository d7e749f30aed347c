/// A flow that a project began with its own client at a provider. Only the project knows the client secret.
struct ProjectFlow: Sendable {
    let providerID: String
    let url: HTTPURL
    let continueURI: String
    let responseMode: ResponseMode
    let sessionID: ProjectSessionID
    let scopes: [String]
    let mark: (name: String, value: AuthorizationState)

    func accepts(_ parameters: CallbackParameters) -> Bool {
        parameters.carries(mark.value, as: mark.name)
            || (mark.name == "oauth_token" && parameters.carries(mark.value, as: "denied"))
    }
}

extension ProjectFlow {
    private static let marks = ["state", "oauth_token"]

    init(
        _ providerID: String, page: String, isEmulated: Bool, continueURI: String, responseMode: ResponseMode,
        sessionID: ProjectSessionID, scopes: [String]
    ) throws(FirebaseError) {
        guard let url = try? HTTPURL(page), url.isSecure || (isEmulated && url.isLoopback) else {
            throw .invalidResponse(.insecurePage)
        }
        let query = CallbackParameters(pasted: page)
        let mark = ProjectFlow.marks.lazy.compactMap { name in query.value(name).map { (name, $0) } }.first
        guard let mark, !mark.1.isEmpty else { throw .invalidResponse(.pageWithoutMark) }
        self.init(
            providerID: providerID, url: url, continueURI: continueURI, responseMode: responseMode,
            sessionID: sessionID, scopes: scopes, mark: (mark.0, AuthorizationState(mark.1)))
    }
}

/// The response to a project's flow, which only the project can exchange.
struct ProjectResponse: Sendable {
    let flow: ProjectFlow
    let requestURI: String
    let postBody: String?
    let secrets: [String]

    init(_ parameters: CallbackParameters, to flow: ProjectFlow) throws(OAuthError) {
        guard flow.accepts(parameters) else { throw .stateMismatch }
        let secrets = parameters.pairs.compactMap(\.value)
        if parameters.value("denied") != nil {
            throw .refused(code: "access_denied", description: nil, at: .authorization)
        }
        if let error = parameters.value("error") {
            let mark = [flow.mark.value.revealed()]
            throw .refused(
                code: ServerText(error, secrets: mark).description,
                description: parameters.value("error_description").map { ServerText($0, secrets: mark) },
                at: .authorization)
        }
        self.flow = flow
        self.secrets = secrets
        let text = String(decoding: parameters.encoded, as: UTF8.self)
        switch flow.responseMode {
        case .query:
            requestURI = flow.continueURI + (flow.continueURI.contains("?") ? "&" : "?") + text
            postBody = nil
        case .formPost:
            requestURI = flow.continueURI
            postBody = text
        }
    }
}

extension FirebaseDirectory {
    func begin(
        _ provider: String, continueURI: String, responseMode: ResponseMode, scopes: [String],
        parameters: [(String, String)], random: RandomSource
    ) async throws -> ProjectFlow {
        let rules = Dialect.named(provider)?.project ?? Dialect.InProject()
        let scopes = Scopes.split((rules.scopes + scopes).joined(separator: " "))
        let sessionID = ProjectSessionID(try random.token())
        let page = try await toolkit.createAuthURI(
            provider, continueURI: continueURI, sessionID: sessionID.revealed(), scopes: scopes,
            parameters: parameters, flowType: rules.flowType)
        return try ProjectFlow(
            provider, page: page, isEmulated: toolkit.project.isEmulated, continueURI: continueURI,
            responseMode: responseMode, sessionID: sessionID, scopes: scopes)
    }

    func presented(_ response: ProjectResponse, now: Int64) -> ProjectCredential {
        ProjectCredential(response, in: toolkit.project, now: now)
    }
}

/// The requirements of a resource that rejected a token: more scopes (RFC 6750 section 3.1), or a stronger or more
/// recent authentication (RFC 9470 section 3).
package struct StepUp: Sendable, Equatable {
    package enum Reason: String, Sendable {
        case scope = "insufficient_scope"
        case authentication = "insufficient_user_authentication"
    }

    package let reason: Reason
    package let scopes: [String]
    package let authenticationContexts: [String]
    /// The maximum age of the user's authentication, in seconds.
    package let maximumAge: Int64?

    package static let maximumRounds = 3

    init?(_ response: HTTPResponse) {
        guard response.status == 401 || response.status == 403 else { return nil }
        let found = AuthenticationChallenge.all(in: response).lazy.filter(\.requestsToken)
            .compactMap { challenge in
                challenge.parameters["error"].flatMap(Reason.init(rawValue:)).map { ($0, challenge.parameters) }
            }.first
        guard let (reason, parameters) = found else { return nil }
        self.reason = reason
        // Checked, because the scopes are requested.
        scopes = Scopes.words(parameters["scope"])
        authenticationContexts = Scopes.words(parameters["acr_values"])
        maximumAge = parameters["max_age"].flatMap(Int64.init).flatMap { (0...Seconds.longest).contains($0) ? $0 : nil }
    }
}

/// A rejected request, and the session of its token.
package struct StepUpRequired: CodedError, Sendable, Equatable {
    package let requirement: StepUp
    package let status: Int
    package let providerID: String
    package let resource: HTTPURL?
    package let granted: [String]
    package let accountUID: String
    package var source = Grant.Source.browser
    package var code: ErrorCode { requirement.reason == .scope ? .insufficientScope : .requiresRecentLogin }

    package var isGranted: Bool {
        requirement.reason == .scope && !requirement.scopes.isEmpty && Set(requirement.scopes).isSubset(of: granted)
    }

    package var scopes: [String] { Scopes.split((granted + requirement.scopes).joined(separator: " ")) }
}

/// The user signed in again, and the API still rejects the request.
package struct StepUpRefused: CodedError, Sendable, Equatable {
    package let requirement: StepUp
    package let rounds: Int
    package var code: ErrorCode { .consentRequired }

    package init(requirement: StepUp, rounds: Int) { (self.requirement, self.rounds) = (requirement, rounds) }
}

extension APIRequest {
    package struct Response: Sendable {
        package let response: HTTPResponse
        var session: Session?
        package internal(set) var notes: [CurrentToken.Note] = []

        /// The end of the session, which the API's rejection of its token can mean.
        package var ended: NotSignedIn? { session.map { .expired(provider: $0.providerID).of($0) } }

        /// Whether another token can help: the status is 401, and the response requires no other sign-in.
        var isTokenRejected: Bool { response.status == 401 && stepUp == nil }

        package var stepUp: StepUpRequired? {
            guard let session, let requirement = StepUp(response) else { return nil }
            return StepUpRequired(
                requirement: requirement, status: response.status, providerID: session.providerID,
                resource: session.resource, granted: session.scopes, accountUID: session.accountUID,
                source: session.source)
        }
    }
}

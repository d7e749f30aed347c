/// Why a job's identity cannot be had or is not taken.
package enum WorkloadError: CodedError, Sendable, Equatable {
    case unknown(String)
    case notInAJob
    /// The platform's job has no token to give, because this is missing.
    case missing(String, platform: String, remedy: WorkloadRemedy)
    case noFile(String, platform: String)
    case ambiguous([String], platform: String)
    case audienceNeeded(platform: String)
    case issuerNeeded(platform: String, token: ServerText)
    case command(String, ServerText)
    case noToken(platform: String, status: Int?)
    case issuer(ServerText, platform: String)
    /// The platform's own claim is missing or contradicts others.
    case claim(String)
    /// The claim that the user requires, with its value in the token; nil if the token does not have it.
    case requirement(String, actual: ServerText?)
    /// The token was used before, and not for the session that is here.
    case usedBefore

    package var code: ErrorCode {
        switch self {
        case .unknown, .ambiguous, .audienceNeeded, .issuerNeeded: .usage
        case .notInAJob, .missing, .noFile: .invalidConfiguration
        case .command: .providerUnavailable
        case .noToken: .invalidResponse
        case .issuer: .invalidIDToken
        case .claim, .requirement, .usedBefore: .invalidCredential
        }
    }
}

/// An authorization server refused the token of a job.
package struct WorkloadRefused: CodedError, Sendable, Equatable {
    package let provider: String
    package let issuer: String
    package let audience: String
    package let error: OAuthError
    package var code: ErrorCode { error.code }
}

/// What a job's configuration must set to get a token.
package enum WorkloadRemedy: Sendable, Equatable {
    case permission, namedToken, context
    case platform(String)
    case mappedVariable(String)
    case serviceConnection, stepSetting, projectedVolume, path
}

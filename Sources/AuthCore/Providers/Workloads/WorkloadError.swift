/// Why a job's identity is not available or not accepted.
package enum WorkloadError: CodedError, Sendable, Equatable {
    case unknown(String)
    case notInAJob
    /// The job has no token, because this variable or file is missing.
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
    /// A claim that the user requires is different in the token; `actual` is nil if it is missing.
    case requirement(String, actual: ServerText?)
    /// The token was used before, and this machine has no session of its job.
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

/// The part of a job's configuration that a token requires.
package enum WorkloadRemedy: Sendable, Equatable {
    case permission, namedToken, context
    case platform(String)
    case mappedVariable(String)
    case serviceConnection, stepSetting, projectedVolume, path
}

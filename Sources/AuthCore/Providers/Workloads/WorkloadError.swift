/// Why a job's identity cannot be had or is not taken.
package enum WorkloadError: CodedError, Sendable, Equatable {
    case unknown(String)
    /// `auto` found no platform.
    case notInAJob
    /// The platform's job has no token to give, because this is missing.
    case missing(String, platform: String, remedy: WorkloadRemedy)
    /// The file that should hold the token cannot be read.
    case noFile(String, platform: String)
    /// Several variables could be meant.
    case ambiguous([String], platform: String)
    case audienceNeeded(platform: String)
    /// Nothing here says whose tokens count; the token's own word is no proof.
    case issuerNeeded(platform: String, token: ServerText)
    /// The program that gives the token could not, with its own words.
    case command(String, ServerText)
    /// The platform's answer holds no token.
    case noToken(platform: String, status: Int?)
    case issuer(ServerText, platform: String)
    /// A claim is not what was required, or is missing.
    case claim(String)
    /// The token was used before, and not for the session that is here.
    case usedBefore

    package var code: ErrorCode {
        switch self {
        case .unknown, .ambiguous, .audienceNeeded, .issuerNeeded: .usage
        case .notInAJob, .missing, .noFile: .invalidConfiguration
        case .command: .providerUnavailable
        case .noToken: .invalidResponse
        case .issuer: .invalidIDToken
        case .claim, .usedBefore: .invalidCredential
        }
    }
}

/// What gives a job its token.
package enum WorkloadRemedy: Sendable, Equatable {
    /// A permission of the job to ask for one.
    case permission
    /// A token that the job names, with its audience.
    case namedToken
    /// A context that the job runs in.
    case context
    /// The platform itself, by its name: this is no job of it.
    case platform(String)
    /// This variable is to be handed to the step.
    case mappedVariable(String)
    /// A service connection, by its ID.
    case serviceConnection
    /// A switch of the step.
    case stepSetting
    /// A volume with a token for its audience.
    case projectedVolume
    /// The file's path.
    case path
}

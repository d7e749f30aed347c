/// Why a provider's settings cannot be used.
package enum ProviderError: CodedError, Sendable, Equatable {
    /// Neither `oidc.NAME` nor a built-in provider.
    case unknownID(String)
    case notConfigured(String)
    /// A variable of the environment fits several providers.
    case sharedVariable(String, [String])
    /// - Parameter setting: where it stands: a provider and a name, a variable, a flag.
    case invalid(setting: String, SettingFault)
    /// A setting that should be a URL.
    case noURL(setting: String, ServerText)
    /// A program shall sign in for itself, and its client has nothing to prove who it is by.
    case noProof(provider: String)
    /// The entry is held to the FAPI 2.0 Security Profile, and something is not as that wants it.
    case fapi2(provider: String, FAPI2Fault)
    /// The provider has no parameter for this option of a sign-in.
    case noSuchOption(RequestOption, provider: String)

    /// The ID of a Firebase project's own session, which is no provider's.
    package static let directorySession = "firebase"

    package var code: ErrorCode {
        switch self {
        case .unknownID(let id) where id == ProviderError.directorySession || WorkloadPlatform.isPlatform(id):
            .operationNotAllowed
        case .notConfigured(let id) where WorkloadPlatform.isPlatform(id): .operationNotAllowed
        case .noSuchOption: .usage
        case .fapi2(_, let fault) where fault.isOfProvider: .unsupported
        default: .invalidConfiguration
        }
    }
}

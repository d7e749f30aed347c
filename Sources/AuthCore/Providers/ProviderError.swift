/// Why a provider's settings cannot be used.
package enum ProviderError: UnusableClient, Equatable {
    case unknownID(String)
    case notConfigured(String)
    case onlyAnApp(String)
    case noClient(String)
    case sharedVariable(String, [String])
    case invalid(setting: String, SettingFault)
    case notAURL(setting: String, ServerText)
    case noProof(provider: String)
    case fapi2(provider: String, FAPI2Fault)
    case noSuchOption(RequestOption, provider: String)

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

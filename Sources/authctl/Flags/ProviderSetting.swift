import ArgumentParser
import AuthCore

/// A setting of an entry that can be taken out again.
enum ProviderSetting: String, CaseIterable, ExpressibleByArgument {
    case baseUrl = "base-url"
    case preset
    case tenant
    case teamId = "team-id"
    case apiHost = "api-host"
    case discovery
    case clientSecret = "client-secret"
    case scope
    case param
    case redirectUri = "redirect-uri"
    case authMethod = "auth-method"
    case privateKey = "private-key"
    case certificate
    case keyId = "key-id"
    case assertionAudience = "assertion-audience"
    case keyAlg = "key-alg"
    case privateKeyPassphraseFile = "private-key-passphrase-file"
    case deviceAuthorizationEndpoint = "device-authorization-endpoint"
    case revocationEndpoint = "revocation-endpoint"
    case parEndpoint = "par-endpoint"
    case par
    case dpop
    case fapi2
    case trustEmail = "trust-email"
    case nonceMode = "nonce-mode"
    case allowHttp = "allow-http"

    /// As `config.yaml` has it.
    var names: [String] {
        switch self {
        case .baseUrl: ["base_url"]
        case .preset: ["preset"]
        case .tenant: ["tenant"]
        case .teamId: ["team_id"]
        case .apiHost: ["api_hosts"]
        case .discovery: ["discovery"]
        case .clientSecret: ["client_secret_file", "client_secret_env"]
        case .scope: ["scopes"]
        case .param: ["params"]
        case .redirectUri: ["redirect_uri"]
        case .authMethod: ["auth_method"]
        case .privateKey: ["private_key", "private_key_passphrase_file", "key_alg"]
        case .certificate: ["certificate"]
        case .keyId: ["key_id"]
        case .assertionAudience: ["assertion_audience"]
        case .keyAlg: ["key_alg"]
        case .privateKeyPassphraseFile: ["private_key_passphrase_file"]
        case .deviceAuthorizationEndpoint: ["device_authorization_endpoint"]
        case .revocationEndpoint: ["revocation_endpoint"]
        case .parEndpoint: ["pushed_authorization_request_endpoint"]
        case .par: ["par"]
        case .dpop: ["dpop"]
        case .fapi2: ["fapi2"]
        case .trustEmail: ["trust_email"]
        case .nonceMode: ["nonce_mode"]
        case .allowHttp: ["allow_http"]
        }
    }
}

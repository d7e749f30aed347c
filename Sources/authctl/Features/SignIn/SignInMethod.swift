/// How `signin`, `link` and `reauth` get a credential. The raw value is the option that selects the method.
enum SignInMethod: String, CaseIterable {
    case provider = "--provider"
    case resource = "--resource"
    case workload = "--ci"
    case password = "--provider password"
    case emailLink = "--provider emailLink"
    case anonymous = "--provider anonymous"
    case customToken = "--custom-token"
    case idToken = "--id-token"
    case accessToken = "--access-token"
    case pending = "--pending"
    case complete = "--complete"

    /// The method that the options select; by default, the provider's own flow.
    init(_ given: Set<SignInOption>, provider: String?) {
        let options = SignInOption.allCases.filter { given.contains($0) && $0 != .provider }
        self =
            options.lazy.compactMap { SignInMethod(rawValue: $0.flag) }.first
            ?? SignInMethod(rawValue: "--provider \(provider ?? "")") ?? .provider
    }

    var accepts: Set<SignInOption> {
        switch self {
        case .provider: SignInOption.request.union([.provider, .begin, .linkPending, .separate, .par])
        case .resource:
            SignInOption.request.union([.resource, .provider, .begin, .linkPending, .par, .clientMetadata, .consent])
        case .workload:
            [.ci, .audience, .issuer, .ciSource, .require, .exchange, .exchangeBy, .scope, .param, .dpop, .resource]
        case .password: [.provider, .email, .passwordStdin, .create, .linkPending]
        case .emailLink: [.provider, .email, .code, .begin, .linkPending]
        case .anonymous: [.provider]
        case .customToken: [.customToken]
        case .idToken: [.idToken, .provider, .nonce, .tenant, .linkPending, .separate]
        case .accessToken: [.accessToken, .provider, .tenant, .linkPending, .separate]
        case .pending: [.pending]
        case .complete: [.complete, .linkPending, .separate]
        }
    }

    /// - Parameter name: the option that selected the method, if it is not the method's own.
    func check(_ given: Set<SignInOption>, provider: String?, named name: String? = nil) throws {
        let name = name ?? rawValue
        if let option = SignInOption.allCases.first(where: { given.contains($0) && !accepts.contains($0) }) {
            guard self == .provider else { throw UsageProblem.excluded(option.flag, by: name) }
            let methods = SignInMethod.allCases.filter { $0.accepts.contains(option) }.map(\.rawValue)
            // `--consent` is also accepted with `--link-pending`.
            let others = option == .consent ? [SignInOption.linkPending.flag] : []
            throw UsageProblem.requires(option.flag, methods + others)
        }
        let named = SignInMethod([], provider: provider)
        try refuse(if: named != .provider && named != self, .excluded(name, by: named.rawValue))
    }
}

/// An option of `signin`, `link` and `reauth` that only some methods accept. Errors report the first invalid one in
/// this order, and the first one that is a method selects it.
enum SignInOption: String, CaseIterable {
    case ci, customToken, pending, complete, resource, idToken, accessToken, provider, begin, email, passwordStdin
    case create, code, nonce, linkPending, separate, consent, clientMetadata, audience, issuer, ciSource, require,
        exchange
    case exchangeBy, flow, listen, scope, param, loginHint, prompt, maxAge, acr, par, dpop, language, tenant

    /// The option as the parser derives it from the name.
    var flag: String { "--" + rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined() }

    static let request: Set<SignInOption> = [
        .flow, .listen, .scope, .param, .loginHint, .prompt, .maxAge, .acr, .dpop, .language, .tenant,
    ]

    static func all(in given: GivenOptions) -> Set<SignInOption> {
        let names = Set(given.list.map(\.name))
        return Set(allCases.filter { names.contains($0.flag) })
    }
}

import AuthCore

enum ResourceText {
    /// The provider, the scopes and the resource of a sign-in. Printed before the request.
    static func requestNote(_ target: SignInToResource.Target) -> String {
        let scopes = target.requestedScopes.map { "'\(shown: $0)'" }.joined(separator: ", ")
        let requested = scopes.isEmpty ? "the default scopes" : "the scopes \(scopes)"
        return "requesting a token for '\(target.resource.text)' from '\(target.issuer.text)', with \(requested)"
    }

    static func question(_ consent: ResourceConsent) -> String {
        switch consent {
        case .wider(let resource, let wider):
            return "The metadata of '\(wider)' covers all of '\(resource)'. Sign in for all of it?"
        case .moved(let resource, _, _, let old, let new):
            return
                "'\(resource.text)' now names the authorization server '\(new.text)' instead of '\(old.text)'. Sign in there?"
        case .token(let provider, _, let resource, _, let unnamed):
            let listed = unnamed.map { "'\(shown: $0)'" }.joined(separator: ", ")
            let scopes = unnamed.isEmpty ? "" : " with the scopes \(listed)"
            return "Send a token of '\(provider)'\(scopes) to '\(resource)'?"
        }
    }
}

/// The options of a sign-in that providers name differently.
public enum RequestOption: String, Sendable, CaseIterable {
    case loginHint = "--login-hint"
    case prompt = "--prompt"
    case maximumAge = "--max-age"
    case authenticationContexts = "--acr"
    case language = "--language"
}

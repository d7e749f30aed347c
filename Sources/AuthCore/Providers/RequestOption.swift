/// The options of a sign-in that providers name differently.
public enum RequestOption: Sendable, CaseIterable {
    case loginHint
    case prompt
    case maximumAge
    case authenticationContexts
    case language
}

/// The options of a sign-in that providers name differently.
package enum RequestOption: Sendable, CaseIterable {
    case loginHint
    case prompt
    case maximumAge
    case authenticationContexts
    case language
}

/// The options of a sign-in that providers name differently, with their names in OpenID Connect Core section 3.1.2.1.
package enum RequestOption: String, Sendable, CaseIterable {
    case loginHint = "login_hint"
    case prompt
    case maximumAge = "max_age"
    case authenticationContexts = "acr_values"
    case language = "ui_locales"
}

/// Ways into a Firebase project that no provider is, by the words that the project's ID tokens have for them.
package enum ProjectWay {
    /// By a token that the project's own server made.
    package static let customToken = "custom"
    /// By a link in a mail.
    package static let emailLink = "emailLink"
    /// By nothing: the account is nobody's in particular until a provider is linked to it.
    package static let anonymous = "anonymous"
}

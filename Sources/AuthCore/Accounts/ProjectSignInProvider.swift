/// Ways into a Firebase project that no provider is, by the words that the project's ID tokens have for them.
package enum ProjectSignInProvider {
    package static let customToken = "custom"
    package static let emailLink = "emailLink"
    package static let anonymous = "anonymous"

    /// The methods that name the user by an email address. A password needs no project.
    package static let byAddress = [PasswordProvider.id, emailLink]
}

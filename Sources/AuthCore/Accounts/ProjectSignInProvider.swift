/// Sign-in methods of a Firebase project without an identity provider, by Firebase's names.
package enum ProjectSignInProvider {
    package static let customToken = "custom"
    package static let emailLink = "emailLink"
    package static let anonymous = "anonymous"

    /// The methods that name the user by an email address. A password needs no project.
    package static let byAddress = [PasswordProvider.id, emailLink]
}

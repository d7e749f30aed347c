/// Ways into a Firebase project that no provider is, by the words that the project's ID tokens have for them.
public enum ProjectWay {
    /// By a token that the project's own server made.
    public static let customToken = "custom"
    /// By a link in a mail.
    public static let emailLink = "emailLink"
    /// By nothing: the account is nobody's in particular until a provider is linked to it.
    public static let anonymous = "anonymous"
}

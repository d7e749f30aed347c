/// What a project wants besides the first factor: a code of one of these authenticator apps.
public struct SecondFactor: Sendable, Equatable {
    /// An app that the account has enrolled.
    public struct App: Sendable, Equatable {
        let enrollmentID: String
        /// As the person called it.
        public let name: String?
    }

    /// At least one.
    public let apps: [App]
    /// The last code was wrong.
    public let isAgain: Bool

    /// What somebody gave.
    public struct Given: Sendable {
        public let code: OneTimeCode
        /// Whose it is, of the apps; nil where nobody says.
        public let app: Int?
        /// By a person who can be asked again.
        public let isTyped: Bool

        public init(_ code: OneTimeCode, of app: Int? = nil, isTyped: Bool) {
            self.code = code
            self.app = app
            self.isTyped = isTyped
        }
    }

    /// Why it cannot be shown.
    public enum Problem: Sendable, Equatable {
        /// It is a code, and nobody is there who has it.
        case nobodyToAsk
        /// It is a message to a phone, before which the service wants a reCAPTCHA.
        case phone
        /// It is of a kind that is not known here.
        case unknown
    }

    /// Asks for a code; nil where nobody can be asked.
    public typealias Asker = @Sendable (SecondFactor) throws -> Given?
}

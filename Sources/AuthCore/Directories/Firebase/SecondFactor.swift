/// The second factor that a project requires: a code of one of these authenticator apps.
package struct SecondFactor: Sendable, Equatable {
    /// An app that the account has enrolled.
    package struct App: Sendable, Equatable {
        let enrollmentID: String
        package let name: String?
    }

    package let apps: [App]
    package let isRetry: Bool

    /// A code as typed, without its spaces; nil if it does not have six to eight digits.
    package static func code(_ typed: String) -> OneTimeCode? {
        let digits = typed.filter { $0 != " " }
        guard (6...8).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return OneTimeCode(digits)
    }

    package struct EnteredCode: Sendable {
        package let code: OneTimeCode
        package let app: Int?
        package let isTyped: Bool

        package init(_ code: OneTimeCode, of app: Int? = nil, isTyped: Bool) {
            self.code = code
            self.app = app
            self.isTyped = isTyped
        }
    }

    /// Why the second factor cannot be presented.
    package enum Problem: Sendable, Equatable {
        case interactionRequired
        /// The factor is a text message, for which the service requires a reCAPTCHA.
        case phone
        case unknown
    }

    package typealias CodePrompt = @Sendable (SecondFactor) throws -> EnteredCode?
}

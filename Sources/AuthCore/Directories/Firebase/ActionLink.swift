/// The purpose of a project's email, as named in its link.
package enum MailAction: String, Sendable {
    case resetPassword, verifyEmail, signIn

    var requestType: String {
        switch self {
        case .resetPassword: "PASSWORD_RESET"
        case .verifyEmail: "VERIFY_EMAIL"
        case .signIn: "EMAIL_SIGNIN"
        }
    }
}

/// The link in a project's email, or the code in that link.
package struct ActionLink: Sendable, Equatable {
    package let code: ActionCode

    package enum Fault: CodedError, Sendable, Equatable {
        case noCode
        case notFor(MailAction)
        case otherAddress(String)

        package var code: ErrorCode { .invalidActionCode }
    }

    package init(pasted: String, for action: MailAction) throws(Fault) {
        let text = String(CallbackParameters.unquoted(pasted.filter { !$0.isNewline }))
        var link = CallbackParameters(pasted: text)
        // A link for a mobile app contains the email's link as a parameter.
        for _ in 1...3 where link.value("oobCode") == nil {
            guard let inner = link.value("link") ?? link.value("deep_link_id") else { break }
            link = CallbackParameters(pasted: inner)
        }
        if let mode = link.value("mode"), mode != action.rawValue { throw .notFor(action) }
        let found = link.value("oobCode") ?? text
        guard !found.isEmpty, found.hasOnlyLettersAndDigits(or: "-_") else { throw .noCode }
        code = ActionCode(found)
    }
}

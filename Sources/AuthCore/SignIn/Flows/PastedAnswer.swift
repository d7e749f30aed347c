/// The kinds of text that a user may paste during a sign-in.
enum PastedAnswer {
    case answer(CallbackParameters)
    case other(PastedFault)

    init(_ pasted: String, at redirectURI: String, _ isAwaited: (CallbackParameters) -> Bool) {
        guard let parameters = CallbackParameters(pasted: pasted, at: redirectURI) else {
            self = .other(.anotherPage)
            return
        }
        if isAwaited(parameters) {
            self = .answer(parameters)
        } else {
            self = .other(parameters.value("state") == nil ? .noAnswer : .anotherSignIn)
        }
    }
}

/// Why what was pasted is not the response.
package enum PastedFault: Sendable, Equatable {
    case noAnswer
    case anotherPage
    case anotherSignIn
}

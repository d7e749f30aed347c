/// The kinds of text that a user may paste during a sign-in.
enum PastedResponse {
    case callback(CallbackParameters)
    case other(PastedResponseFault)

    init(_ pasted: String, at redirectURI: String, _ isAwaited: (CallbackParameters) -> Bool) {
        guard let parameters = CallbackParameters(pasted: pasted, at: redirectURI) else {
            self = .other(.anotherPage)
            return
        }
        if isAwaited(parameters) {
            self = .callback(parameters)
        } else {
            self = .other(parameters.value("state") == nil ? .notACallback : .anotherSignIn)
        }
    }
}

/// Why what was pasted is not the response.
package enum PastedResponseFault: Sendable, Equatable {
    case notACallback
    case anotherPage
    case anotherSignIn
}

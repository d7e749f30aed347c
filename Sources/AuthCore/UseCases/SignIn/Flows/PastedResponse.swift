/// The kinds of text that a user may paste during a sign-in.
enum PastedResponse {
    case callback(CallbackParameters)
    case other(PastedResponseFault)

    init(_ pasted: String, at redirectURI: String, _ isAwaited: (CallbackParameters) -> Bool) {
        guard let parameters = CallbackParameters(pasted: pasted, at: redirectURI) else {
            self = .other(.anotherPage)
            return
        }
        let fault = parameters.value("state") == nil ? PastedResponseFault.notACallback : .anotherSignIn
        self = isAwaited(parameters) ? .callback(parameters) : .other(fault)
    }
}

/// Why a pasted text is not the authorization response.
package enum PastedResponseFault: Sendable, Equatable {
    case notACallback, anotherPage, anotherSignIn, cutOff
}

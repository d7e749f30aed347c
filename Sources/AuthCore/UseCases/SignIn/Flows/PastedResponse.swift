/// An authorization request that a browser sends, as all flows see it.
protocol SentAuthorization: Sendable {
    var url: HTTPURL { get }
    /// Seconds until the URL expires; nil if unknown.
    var urlExpiresIn: Int64? { get }
    var redirectURI: String { get }
    var responseMode: ResponseMode { get }
    /// Whether the parameters are the response to this request.
    func accepts(_ parameters: CallbackParameters) -> Bool
}

extension AuthorizationRequest: SentAuthorization {
    func accepts(_ parameters: CallbackParameters) -> Bool { parameters.carries(state) }
}

extension ProjectFlow: SentAuthorization {
    var urlExpiresIn: Int64? { nil }
    var redirectURI: String { continueURI }
}

/// The kinds of text that a user may paste during a sign-in.
enum PastedResponse {
    case callback(CallbackParameters)
    case other(PastedResponseFault)

    init(_ pasted: String, to sent: any SentAuthorization) {
        guard let parameters = CallbackParameters(pasted: pasted, at: sent.redirectURI) else {
            self = .other(.anotherPage)
            return
        }
        let fault: PastedResponseFault =
            parameters.value("state") != nil
            ? .anotherSignIn : parameters.value("code") != nil ? .cutOff : .notACallback
        self = sent.accepts(parameters) ? .callback(parameters) : .other(fault)
    }
}

/// Why a pasted text is not the authorization response.
package enum PastedResponseFault: Sendable, Equatable {
    case notACallback, anotherPage, anotherSignIn, cutOff
}

import AuthCore

extension JOSEError: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation { IDTokenRejection.jose(self).explanation(context) }

    var message: String {
        switch self {
        case .tooLong: "it is too long"
        case .notCompact: "it is no signed token in compact form"
        case .encrypted: "it is encrypted"
        case .header(let error): "its header: \(error.message)"
        case .payload(let error): "its payload: \(error.message)"
        case .algorithm(let name): "algorithm '\(shown: name ?? "none")' is not accepted"
        case .criticalHeader: "its header has 'crit' or 'b64', which are not supported"
        case .type(let type): "type '\(type)' is no ID token"
        case .keyIdentifier: "its 'kid' is no key identifier"
        case .signature: "its signature is wrong"
        case .noKey(let kid?): "no key '\(shown: kid)' of the provider fits"
        case .noKey(nil): "no key of the provider fits"
        case .ambiguousKey: "several keys of the provider fit, and it names none"
        }
    }
}

extension KeySetError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "the provider's keys cannot be used: \(message)"
            .hint("tell the provider's administrator; for the details: \(run: context.check)")
    }

    private var message: String {
        switch self {
        case .json(let error): error.message
        case .noKeys: "there are none"
        case .tooManyKeys: "there are more than 100"
        case .privateMembers: "private parts of keys are published"
        case .repeatedKeyID(let keyID): "two keys are called '\(shown: keyID)'"
        }
    }
}

extension JSONError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        "what came is not the JSON it should be: \(message)".hint(run: context.again)
    }

    var message: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .duplicateName(let name): "'\(ServerText(name))' stands there twice"
        case .invalidUTF8: "not UTF-8"
        case .numberOutOfRange: "a number out of range"
        case .malformed(let offset): "not JSON at byte \(offset)"
        case .notAnObject: "no JSON object"
        }
    }
}

import AuthCore

extension JOSEError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { IDTokenRejection.jose(self).explanation(context) }

    var message: String {
        switch self {
        case .tooLong: "it is too long"
        case .notCompact: "it is not a signed JWT"
        case .encrypted: "it is encrypted"
        case .header(let error): "its header is invalid: \(error.message)"
        case .payload(let error): "its payload is invalid: \(error.message)"
        case .algorithm(let name): "its algorithm '\(shown: name ?? "none")' is not accepted"
        case .criticalHeader: "its header has 'crit' or 'b64', which are not supported"
        case .type(let type): "its type is '\(type)'"
        case .keyIdentifier: "its 'kid' is not a valid key ID"
        case .signature: "its signature is invalid"
        case .noKey(let kid?): "the provider has not published its key '\(shown: kid)'"
        case .noKey(nil): "the provider has not published a key for it"
        case .ambiguousKey: "it has no 'kid', and several keys of the provider match"
        }
    }
}

extension KeySetError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { "the provider's keys are invalid: \(message)" }

    var message: String {
        switch self {
        case .json(let error): error.message
        case .noKeys: "the key set is empty"
        case .tooManyKeys: "more than 100 keys"
        case .privateMembers: "it contains private keys"
        case .repeatedKeyID(let keyID): "two keys have the ID '\(shown: keyID)'"
        }
    }
}

extension JSONError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { "invalid JSON in the response: \(message)" }

    var message: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .duplicateName(let name): "'\(ServerText(name))' is a duplicate key"
        case .invalidUTF8: "not UTF-8"
        case .numberOutOfRange: "a number out of range"
        case .malformed(let offset): "not JSON at byte \(offset)"
        case .notAnObject: "not a JSON object"
        }
    }
}

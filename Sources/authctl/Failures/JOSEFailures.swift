import AuthCore

extension JOSEError: Told {
    func told(_ task: Undertaking) -> Failure { IDTokenRejection.jose(self).told(task) }

    var words: String {
        switch self {
        case .tooLong: "it is too long"
        case .notCompact: "it is no signed token in compact form"
        case .encrypted: "it is encrypted"
        case .header(let error): "its header: \(error.words)"
        case .payload(let error): "its payload: \(error.words)"
        case .algorithm(let name): "algorithm '\(ServerText.shown(name ?? "none"))' is not accepted"
        case .criticalHeader: "its header has 'crit' or 'b64', which are not supported"
        case .type(let type): "type '\(type)' is no ID token"
        case .keyIdentifier: "its 'kid' is no key identifier"
        case .signature: "its signature is wrong"
        case .noKey(let kid):
            kid.map { "no key '\(ServerText.shown($0))' of the provider fits" } ?? "no key of the provider fits"
        case .ambiguousKey: "several keys of the provider fit, and it names none"
        }
    }
}

extension KeySetError: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(
            .invalidResponse, "the provider's keys cannot be used: \(words)",
            hint: "tell the provider's administrator; for the details: \(run: task.check)")
    }

    private var words: String {
        switch self {
        case .json(let error): error.words
        case .noKeys: "there are none"
        case .tooManyKeys: "there are more than 100"
        case .privateMembers: "private parts of keys are published"
        case .repeatedKeyID(let keyID): "two keys are called '\(ServerText.shown(keyID))'"
        }
    }
}

extension JSONError: Told {
    func told(_ task: Undertaking) -> Failure {
        task.failure(.invalidResponse, "what came is not the JSON it should be: \(words)", hint: .run(task.again))
    }

    var words: String {
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

import AuthCore

/// Checks typed values before a provider is contacted.
enum SetupDetail {
    static func clientID(
        _ text: String, form: Dialect.Registration.IDForm, isMoved: Bool
    ) throws(InvalidInput) -> String {
        guard text.isPrintableASCII, !text.contains(" ") else {
            throw InvalidInput("it has invalid characters for a client ID")
        }
        guard isMoved || form.fits(text) else {
            throw InvalidInput("each client ID of this provider \(description(form))")
        }
        return text
    }

    private static func description(_ form: Dialect.Registration.IDForm) -> String {
        switch form {
        case .any: "is text"
        case .ending(let end): "ends with \(end)"
        case .guid: "is a GUID, 36 characters with hyphens"
        case .digits: "has only digits"
        }
    }

    static func tenCharacters(_ text: String) throws(InvalidInput) -> String {
        guard text.utf8.count == 10, text.hasOnlyLettersAndDigits() else {
            throw InvalidInput("it has ten letters and digits")
        }
        return text
    }

    static func publicURL(_ text: String) throws(InvalidInput) -> String {
        guard let url = try? HTTPURL(text), url.isSecure, !url.isLoopback else {
            throw InvalidInput("it must be a public https URL, as registered")
        }
        return text
    }
}

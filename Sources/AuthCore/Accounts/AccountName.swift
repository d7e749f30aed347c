/// What a person calls an account on this machine: a word that no uid and no address looks like.
package enum AccountName {
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && (text.utf8.first?.isLetterOrDigit ?? false)
            && text.hasOnlyLettersAndDigits(or: "-._")
    }

    static let shortest = 4
    private static let made = 28

    /// Whether a word can be short for a uid. Only made-up ones have short forms: a uid that somebody chose may begin as
    /// another one does, and a script that names an account which is gone gets nobody else's token.
    static func isUIDPrefix(_ text: String) -> Bool {
        (shortest..<made).contains(text.utf8.count) && text.hasOnlyLettersAndDigits()
    }

    static func isMade(uid: String) -> Bool { uid.utf8.count == made && uid.hasOnlyLettersAndDigits() }
}

/// Why an account does not get a name.
package enum AccountNameError: CodedError, Sendable, Equatable {
    case noName(String)
    case taken(String, owner: String)
    case uid(String)
    case unnamed(account: String)

    package var code: ErrorCode { .usage }
}

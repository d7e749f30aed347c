/// What a person calls an account on this machine: a word that no uid and no address looks like.
public enum AccountName {
    /// Letters, digits, `-`, `_` and `.`, a letter or digit first.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && (text.utf8.first?.isLetterOrDigit ?? false)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || [0x2D, 0x2E, 0x5F].contains($0) }
    }

    /// Characters of a uid that can stand for all of it. What could be an address is never short for a uid: a script that
    /// names somebody who is gone gets nobody else's token.
    static let shortest = 4

    static func isUIDPrefix(_ text: String) -> Bool { text.utf8.count >= shortest && !text.utf8.contains(0x40) }
}

/// Why an account does not get a name.
public enum AccountNameError: Error, Sendable, Equatable {
    case noName(String)
    /// Another account has it.
    /// - Parameter owner: its address, or its uid.
    case taken(String, owner: String)
    /// It is the uid of an account.
    case uid(String)
    /// It has none that could be taken away.
    case unnamed(account: String)
}

/// Why a request was not sent, or what came back.
public enum RequestRefused: Error, Sendable, Equatable {
    /// The provider's entry does not allow its token to go there.
    /// - Parameter owner: whose host it is, where another session's provider has it.
    case host(origin: String, provider: String, owner: SessionOwner?)
    /// The API answered with an error; its body was handed out.
    case status(Int)
}

/// A session, by who has it.
public struct SessionOwner: Sendable, Equatable {
    public let provider: String
    /// An address, or a UID, that names the account and no other.
    public let account: String
}

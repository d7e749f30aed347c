/// The reason why a key set cannot be used.
package enum KeySetError: CodedError, Sendable, Equatable {
    case json(JSONError)
    case noKeys, tooManyKeys, privateMembers
    case repeatedKeyID(String)

    package var code: ErrorCode { .invalidResponse }
}

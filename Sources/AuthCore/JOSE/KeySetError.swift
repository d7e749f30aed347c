/// Why a key set cannot be used.
package enum KeySetError: CodedError, Sendable, Equatable {
    case json(JSONError)
    /// No `keys` array, or an empty one.
    case noKeys
    /// More than 100 keys.
    case tooManyKeys
    /// A member of a private or symmetric key (`d`, `p`, `q` …) in a set that should be public.
    case privateMembers
    /// Two usable keys with one `kid`.
    case repeatedKeyID(String)

    package var code: ErrorCode { .invalidResponse }
}

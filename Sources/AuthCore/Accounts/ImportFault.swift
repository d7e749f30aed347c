/// Why a document is not imported, and nothing of it.
package enum ImportFault: Sendable, Equatable {
    case noJSON
    /// It is no export, or one of a version that this one does not know.
    case otherVersion
    case accountTaken(uid: String)
    /// Another account has the identity.
    case identityTaken(IdentityKey)
    /// An account in it cannot be read; they are counted from one.
    case entry(Int, Entry)

    /// What is wrong with one account.
    package enum Entry: Sendable, Equatable {
        /// `uid` or `createdAt` is missing or wrong.
        case noUIDOrDate
        /// An element of `providerData` is no identity.
        case malformedIdentity
        case noneOrRepeatedProvider
        /// `passwordHash` is none, or one that takes too long to compute.
        case unusableHash
        case machineWithPassword
    }
}

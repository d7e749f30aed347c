/// Why a document is not imported, and nothing of it.
package enum ImportFault: Sendable, Equatable {
    case notJSON
    case otherVersion
    case accountTaken(uid: String)
    case identityTaken(IdentityKey)
    case entry(Int, Entry)

    package enum Entry: Sendable, Equatable {
        case noUIDOrDate, malformedIdentity, noneOrRepeatedProvider, unusableHash, machineWithPassword
    }
}

/// Why an import is rejected as a whole.
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

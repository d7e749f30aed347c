/// An account as lists show it.
package struct AccountEntry: Sendable {
    package let uid: String
    /// The alias.
    package let name: String?
    /// The email address, the display name or the uid.
    package let known: String
    package let isCurrent: Bool
    let place: Place

    init(uid: String, name: String?, known: String, isCurrent: Bool) {
        self.uid = uid
        self.name = name
        self.known = known
        self.isCurrent = isCurrent
        place = AccountEntry.place(uid: uid, shown: name ?? known, isCurrent: isCurrent)
    }

    /// The order of lists: the current account first, then by name.
    typealias Place = (Int, String, String)

    static func place(uid: String, shown: String, isCurrent: Bool) -> Place {
        (isCurrent ? 0 : 1, shown.lowercased(), uid)
    }
}

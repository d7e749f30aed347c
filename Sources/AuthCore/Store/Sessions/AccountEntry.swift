/// An account as lists show it.
package struct AccountEntry: Sendable {
    package let uid: String
    /// The alias.
    package let name: String?
    /// As `Account.known`.
    package let known: String
    package let isCurrent: Bool

    /// The order of lists: the current account first, then by name.
    typealias Place = (Int, String, String)

    var place: Place { (isCurrent ? 0 : 1, (name ?? known).lowercased(), uid) }
}

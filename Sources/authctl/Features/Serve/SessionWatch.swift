import AuthCore
import Synchronization

/// Whether a server should check its sessions, because the profile changed or a token could not be used.
final class SessionWatch: Sendable {
    private let profile: Profile
    private let wasRefused = Atomic<Bool>(false)
    private let seen: Lock<ProfileChange>

    init(_ profile: Profile) {
        self.profile = profile
        seen = Lock(ProfileChange(of: profile))
    }

    /// Records that a token could not be used.
    func noteRefusal() { wasRefused.store(true, ordering: .sequentiallyConsistent) }

    /// Whether anything changed since the last call.
    func isDue() -> Bool {
        let change = ProfileChange(of: profile)
        let isChanged = seen.withLock { seen in
            defer { seen = change }
            return seen != change
        }
        return wasRefused.exchange(false, ordering: .sequentiallyConsistent) || isChanged
    }
}

/// The note about a refresh in the file of its session's lock: that the refresh token was sent, and then the new refresh
/// token of the response, encrypted. It is removed when the response is stored (docs/decisions/017).
///
/// It is written before the request is sent, and before the response is checked. So the only valid refresh token is not
/// lost if the process is killed or the response is refused. Only the process that holds the lock uses it.
final class RefreshNote {
    private let lock: HeldLock
    private let sealer: Sealer
    private let place: Sealer.Place
    /// Of the stored refresh token: the note of an earlier sign-in is ignored.
    private let digest: String
    /// The new refresh token of a response whose subject, issuer or binding has not been checked.
    private(set) var unproven: RefreshToken?
    /// Whether the response to a request of this process, or of an earlier one, was lost.
    var hasLostResponse = false

    private static let sent = "sent"

    fileprivate init(_ lock: HeldLock, stored: RefreshToken, sealer: Sealer, at place: Sealer.Place) throws {
        (self.lock, self.sealer, self.place) = (lock, sealer, place)
        digest = Array(try HashFunction.sha256.digest(stored.revealed().utf8).prefix(12)).hexadecimal
        let words = lock.note()?.split(separator: " ").map(String.init) ?? []
        guard words.count > 1, words[0].hasSameBytes(as: digest) else { return }
        hasLostResponse = words.contains(Self.sent)
        unproven = [UInt8](hexadecimal: words[1]).flatMap { try? sealer.open($0, at: place) }.map { Secret($0) }
    }

    /// - Parameter isSent: whether a request was sent whose response has not arrived.
    func write(_ unproven: RefreshToken?, isSent: Bool = false) {
        self.unproven = unproven
        let sealed = unproven.flatMap { try? sealer.seal($0.revealed(), at: place).hexadecimal }
        let words = [digest, sealed, isSent ? Self.sent : nil].compactMap { $0 }
        if words.count > 1 { lock.write(note: words.joined(separator: " ")) } else { lock.removeNote() }
    }
}

extension SessionStore {
    /// - Parameter stored: the session's refresh token.
    func refreshNote(_ lock: HeldLock, of session: Session, stored: RefreshToken) async throws -> RefreshNote {
        let place = SealedSession.place(of: session, field: "unproven refresh token", in: origin)
        return try RefreshNote(lock, stored: stored, sealer: try await store.sealer(creating: false), at: place)
    }
}

/// Why a message did not come back over a bus.
enum BusError: Error, Sendable, Equatable {
    /// libsystemd is not on this machine.
    case noLibrary
    /// No address, or nobody who can be spoken to there; `code` is the errno that says so.
    case noBus(code: Int32)
    /// Nothing came in time.
    case timedOut(seconds: Double)
    /// The connection ended in the middle; `code` is an errno.
    case lost(code: Int32)
    /// An error as an answer: its name and text are the other side's.
    case refused(name: String, text: String)
    /// An answer of another shape than the interface says.
    case malformed
}

/// Why a message did not come back over a bus.
enum BusError: Error, Sendable, Equatable {
    case noLibrary
    case noBus(code: Int32)
    case timedOut(seconds: Double)
    case lost(code: Int32)
    case refused(name: String, text: String)
    case malformed
}

/// Why a call over a bus failed.
enum BusError: Error, Sendable, Equatable {
    case noLibrary
    case noBus(code: Int32)
    case timedOut(seconds: Double)
    case lost(code: Int32)
    case refused(name: String, text: String)
    case malformed
}

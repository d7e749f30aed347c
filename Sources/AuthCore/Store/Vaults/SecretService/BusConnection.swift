import CSystemd
import Glibc

/// A connection to a message bus, and the only owner of libsystemd's pointer. It is closed when this value is
/// destroyed.
///
/// It does not use libsystemd's blocking calls, which have no time limit for the bus's greeting.
/// See docs/decisions/029.
struct BusConnection: ~Copyable {
    private let pointer: OpaquePointer
    private var library: csystemd
    /// Replies that arrived before a caller waited for them.
    private var arrived: [BusMessage] = []
    private var isGreeted = false

    deinit {
        library.sd_bus_close(pointer)
        _ = library.sd_bus_unref(pointer)
    }

    static func open(_ address: String) throws(BusError) -> BusConnection {
        var library = csystemd()
        guard csystemd_load(&library) == 0 else { throw .noLibrary }
        var pointer: OpaquePointer?
        let code = library.sd_bus_new(&pointer)
        guard code >= 0, let pointer else { throw .noBus(code: -code) }
        let connection = BusConnection(pointer: pointer, library: library)
        try connection.start(at: address)
        return connection
    }

    private func start(at address: String) throws(BusError) {
        for code in [library.sd_bus_set_address(pointer, address), library.sd_bus_set_bus_client(pointer, 1)]
        where code < 0 { throw .noBus(code: -code) }
        let code = library.sd_bus_start(pointer)
        guard code >= 0 else { throw .noBus(code: -code) }
    }

    func send(
        _ member: String, of interface: String, at path: BusPath, to destination: String, with arguments: [BusValue]
    ) throws(BusError) -> UInt64 {
        var message: OpaquePointer?
        let made = library.sd_bus_message_new_method_call(pointer, &message, destination, path.text, interface, member)
        guard made >= 0, let message else { throw failure(made) }
        let call = BusMessage(taking: message, library)
        try call.append(arguments)
        var cookie: UInt64 = 0
        let sent = library.sd_bus_send(pointer, call.pointer, &cookie)
        guard sent >= 0 else { throw failure(sent) }
        return cookie
    }

    mutating func flush(within deadline: Deadline) throws(BusError) {
        var count: UInt64 = 0
        while library.sd_bus_get_n_queued_write(pointer, &count) >= 0, count > 0 {
            do throws(BusError) { arrived.append(try next(before: deadline)) } catch {
                guard case .timedOut = error else { throw error }
                return
            }
        }
    }

    mutating func reply(to cookie: UInt64, before deadline: Deadline) throws(BusError) -> BusMessage {
        let message = try first(before: deadline) { $0.replyCookie == cookie }
        if let error = message.error { throw error }
        return message
    }

    mutating func first(before deadline: Deadline, where isMatch: (BusMessage) -> Bool) throws(BusError) -> BusMessage {
        if let index = arrived.firstIndex(where: isMatch) { return arrived.remove(at: index) }
        while true {
            let message = try next(before: deadline)
            if isMatch(message) { return message }
            if message.replyCookie != nil { arrived.append(message) }
        }
    }

    private mutating func next(before deadline: Deadline) throws(BusError) -> BusMessage {
        while true {
            var message: OpaquePointer?
            let code = library.sd_bus_process(pointer, &message)
            if let message {
                isGreeted = true
                return BusMessage(taking: message, library)
            }
            guard code >= 0 else { throw failure(code) }
            guard code == 0 else { continue }
            guard let left = deadline.left else { throw .timedOut(seconds: deadline.seconds) }
            let waited = library.sd_bus_wait(pointer, left)
            guard waited >= 0 || waited == -EINTR else { throw failure(waited) }
        }
    }

    /// A connection that fails before the first message counts as a missing bus.
    private func failure(_ code: Int32) -> BusError { isGreeted ? .lost(code: -code) : .noBus(code: -code) }
}

import CSystemd

/// A bus message, and the only owner of its pointer. It is written or read in order. systemd 240 and later overwrite
/// its memory when it is freed.
final class BusMessage {
    let pointer: OpaquePointer
    private var library: csystemd

    init(taking pointer: OpaquePointer, _ library: csystemd) {
        self.pointer = pointer
        self.library = library
        csystemd_mark_sensitive(&self.library, pointer)
    }

    deinit { _ = library.sd_bus_message_unref(pointer) }

    private func check(_ code: Int32) throws(BusError) { guard code >= 0 else { throw .malformed } }

    // MARK: Writing

    func append(_ values: [BusValue]) throws(BusError) {
        for value in values {
            switch value {
            case .text(let text): try append(text, "s")
            case .path(let path): try append(path.text, "o")
            case .flag(let flag):
                var number: Int32 = flag ? 1 : 0
                try check(library.sd_bus_message_append_basic(pointer, BusType("b").code, &number))
            case .bytes(let bytes):
                try check(
                    bytes.withUnsafeBytes {
                        library.sd_bus_message_append_array(pointer, BusType("y").code, $0.baseAddress, $0.count)
                    })
            case .container(let container, let types, let values):
                try check(library.sd_bus_message_open_container(pointer, container.code, types))
                try append(values)
                try check(library.sd_bus_message_close_container(pointer))
            }
        }
    }

    private func append(_ text: String, _ type: BusType) throws(BusError) {
        // libsystemd copies the text.
        try check(text.withCString { library.sd_bus_message_append_basic(pointer, type.code, $0) })
    }

    // MARK: Reading

    func text() throws(BusError) -> String { try text("s") }

    func path() throws(BusError) -> BusPath { BusPath(try text("o")) }

    private func text(_ type: BusType) throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        // 0 means the end of the message or container.
        guard library.sd_bus_message_read_basic(pointer, type.code, &text) > 0, let text else { throw .malformed }
        return String(cString: text)
    }

    func flag() throws(BusError) -> Bool {
        var value: Int32 = 0
        guard library.sd_bus_message_read_basic(pointer, BusType("b").code, &value) > 0 else { throw .malformed }
        return value != 0
    }

    func bytes() throws(BusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        guard library.sd_bus_message_read_array(pointer, BusType("y").code, &start, &count) > 0 else {
            throw .malformed
        }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func read<R>(_ container: BusType, of types: String, body: () throws(BusError) -> R) throws(BusError) -> R {
        guard library.sd_bus_message_enter_container(pointer, container.code, types) > 0 else { throw .malformed }
        let result = try body()
        try check(library.sd_bus_message_exit_container(pointer))
        return result
    }

    func paths() throws(BusError) -> [BusPath] {
        try read("a", of: "o") { () throws(BusError) in
            var paths: [BusPath] = []
            while library.sd_bus_message_at_end(pointer, 0) == 0 { paths.append(try path()) }
            return paths
        }
    }

    // MARK: Message types

    var replyCookie: UInt64? {
        var cookie: UInt64 = 0
        return library.sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0 ? cookie : nil
    }

    var error: BusError? {
        guard let error = library.sd_bus_message_get_error(pointer) else { return nil }
        return .refused(
            name: error.pointee.name.map { String(cString: $0) } ?? "",
            text: error.pointee.message.map { String(cString: $0) } ?? "")
    }

    func isSignal(_ member: String, of interface: String, at path: BusPath? = nil) -> Bool {
        library.sd_bus_message_is_signal(pointer, interface, member) > 0
            && (path == nil || library.sd_bus_message_get_path(pointer).map { String(cString: $0) } == path?.text)
    }
}

/// An argument of a call (D-Bus Specification, "Type System").
indirect enum BusValue {
    case text(String)
    case path(BusPath)
    case flag(Bool)
    case bytes([UInt8])
    /// An array, structure, dictionary entry or variant, with the signature of its content.
    case container(BusType, of: String, [BusValue])

    static func variant(_ type: String, _ value: BusValue) -> BusValue { .container("v", of: type, [value]) }

    static func attributes(_ attributes: [String: String]) -> BusValue {
        let entries = attributes.sorted { $0.key < $1.key }
        return .container("a", of: "{ss}", entries.map { .container("e", of: "ss", [.text($0.key), .text($0.value)]) })
    }
}

/// The path of an object on a bus.
struct BusPath: Sendable, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static let none = BusPath("/")

    var parent: BusPath {
        let names = text.split(separator: "/").dropLast()
        return BusPath("/" + names.joined(separator: "/"))
    }
}

/// The letter of a type in a signature (D-Bus Specification, "Type System").
struct BusType: ExpressibleByUnicodeScalarLiteral {
    let code: CChar

    init(unicodeScalarLiteral letter: Unicode.Scalar) { code = CChar(truncatingIfNeeded: letter.value) }
}

/// Reads server-sent events that arrive in parts (WHATWG HTML, section 9.2.6).
package struct EventStream: Sendable {
    /// The ID of the last complete event; nil if it cannot be sent in `Last-Event-ID`.
    package private(set) var lastID: String?
    /// Milliseconds to wait before the stream is requested again, if the server says so.
    package private(set) var retry: Int64?
    private var id: String?
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var type = ""
    private var isAfterReturn = false
    private var isAtStart = true
    private let limit: Int

    /// - Parameter limit: the maximum length of an event in bytes.
    package init(limit: Int) { self.limit = limit }

    /// Discards an incomplete event. Called before the stream is requested again.
    package mutating func restart() {
        (id, line, data, type) = (lastID, [], [], "")
        (isAfterReturn, isAtStart) = (false, true)
    }

    /// - Parameter message: called with the data of each event of the type `message`, in which each line break is one
    ///   newline.
    /// - Returns: false if an event is too long.
    package mutating func take(_ part: [UInt8], _ message: ([UInt8]) -> Void) -> Bool {
        var rest = part[...]
        while let first = rest.first {
            if isAfterReturn, first == 10 { rest.removeFirst() }
            isAfterReturn = false
            guard let end = rest.firstIndex(where: { $0 == 10 || $0 == 13 }) else {
                line += rest
                return line.count + data.count <= limit
            }
            line += rest[..<end]
            guard line.count + data.count <= limit else { return false }
            isAfterReturn = rest[end] == 13
            rest = rest[(end + 1)...]
            takeLine(message)
        }
        return true
    }

    private mutating func takeLine(_ message: ([UInt8]) -> Void) {
        defer { line.removeAll(keepingCapacity: line.count < 4096) }
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isAtStart = false
        guard !line.isEmpty else {
            if data.last == 10 { data.removeLast() }
            if !data.isEmpty, type.isEmpty || type == "message" { message(data) }
            (lastID, data, type) = (id, [], "")
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value.removeFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data": data += value + [10]
        case "event": type = String(decoding: value, as: UTF8.self)
        case "id":
            let text = String(decoding: value, as: UTF8.self)
            id = text.isEmpty || (try? HTTPFieldProblem.check(name: "last-event-id", value: text)) == nil ? nil : text
        case "retry":
            if value.allSatisfy(\.isDigit), let time = Int64(String(decoding: value, as: UTF8.self)) { retry = time }
        default: break
        }
    }
}

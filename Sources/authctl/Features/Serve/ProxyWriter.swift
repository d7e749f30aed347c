import AuthCore

/// Writes a response of the API to the client as it arrives. Blocks while the client does not read.
final class ProxyWriter {
    private enum Framing { case none, length, chunked }

    private let served: ServedConnection
    private let isHead: Bool
    private let filters: [SecretFilter]
    private var framing = Framing.none
    private(set) var isBegun = false
    /// Parts of the full length are written together, because libcurl has more data of the same read.
    private var collected: [UInt8] = []

    /// The longest part that libcurl passes on (CURL_MAX_WRITE_SIZE).
    private static let fullLength = 16 * 1024
    private static let collectedLength = 128 * 1024

    /// - Parameter tokens: are replaced in the response, because some APIs repeat them.
    init(_ served: ServedConnection, hiding tokens: [String], isHead: Bool) {
        (self.served, self.isHead) = (served, isHead)
        filters = tokens.map(SecretFilter.init)
    }

    /// - Parameter length: of a complete body; nil for parts.
    func begin(_ response: HTTPResponse, length: Int?) throws(ConnectionEnded) {
        isBegun = true
        if !served.isBodyRead { served.isPersistent = false }
        var head = "HTTP/1.1 \(response.status) \r\n"
        for field in ProxyHeaders.returned(response) where !filters.contains(where: { $0.isIn(name: field.name) }) {
            head += "\(field.name): \(filters.reduce(field.value) { $1.replaced(in: $0) })\r\n"
        }
        let length = length.map(String.init) ?? ProxyWriter.declaredLength(of: response)
        if isHead || response.status == 204 || response.status == 304 {
            if isHead, let length { head += "content-length: \(length)\r\n" }
        } else if let length {
            framing = .length
            head += "content-length: \(length)\r\n"
        } else {
            framing = .chunked
            head += "transfer-encoding: chunked\r\n"
        }
        if !served.isPersistent { head += "connection: close\r\n" }
        try served.write(Array((head + "\r\n").utf8))
    }

    /// Returns nil if the length is unknown, or is different because libcurl decodes the body.
    private static func declaredLength(of response: HTTPResponse) -> String? {
        let lengths = response.headers.filter { $0.name == "content-length" }.map(\.value)
        guard lengths.count == 1, Int64(lengths[0]) != nil, lengths[0].utf8.allSatisfy(\.isDigit),
            response.header("transfer-encoding") == nil,
            response.header("content-encoding").map({ $0.lowercased() == "identity" }) ?? true
        else { return nil }
        return lengths[0]
    }

    /// - Parameter first: the filter to begin with. Each passes its result on to the next one.
    func pass(_ part: UnsafeRawBufferPointer, from first: Int = 0) throws {
        guard first < filters.count else { return try write(part) }
        try filters[first].pass(part) { try pass($0, from: first + 1) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(ConnectionEnded) {
        collected += bytes
        if bytes.count < ProxyWriter.fullLength || collected.count >= ProxyWriter.collectedLength { try flush() }
    }

    func flush() throws(ConnectionEnded) {
        guard !collected.isEmpty else { return }
        switch framing {
        case .none: break
        case .length: try served.write(collected)
        case .chunked: try served.write(Array("\(String(collected.count, radix: 16))\r\n".utf8) + collected + [13, 10])
        }
        collected.removeAll(keepingCapacity: true)
    }

    func end() throws {
        for (index, filter) in filters.enumerated() {
            let rest = filter.end()
            if !rest.isEmpty { try rest.withUnsafeBytes { try pass($0, from: index + 1) } }
        }
        try flush()
        if framing == .chunked { try served.write(Array("0\r\n\r\n".utf8)) }
    }
}

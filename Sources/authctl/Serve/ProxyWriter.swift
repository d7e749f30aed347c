import AuthCore

/// Writes a response of the API to the client as it arrives. Blocks while the client does not read.
final class ProxyWriter {
    private enum Framing { case none, length, chunked }

    private let served: ServedConnection
    private let isHead: Bool
    private var filter: SecretFilter
    private var framing = Framing.none
    private(set) var isBegun = false
    /// Parts of the full length are written together, because libcurl has more data of the same read.
    private var collected: [UInt8] = []

    /// The longest part that libcurl passes on (CURL_MAX_WRITE_SIZE).
    private static let fullLength = 16 * 1024
    private static let collectedLength = 128 * 1024

    /// - Parameter token: is replaced in the response, because some APIs repeat it.
    init(_ served: ServedConnection, hiding token: String, isHead: Bool) {
        (self.served, self.isHead) = (served, isHead)
        filter = SecretFilter(token)
    }

    /// - Parameter length: of a complete body; nil for parts.
    func begin(_ response: HTTPResponse, length: Int?) throws(ConnectionEnded) {
        isBegun = true
        if !served.isBodyRead { served.isPersistent = false }
        var head = "HTTP/1.1 \(response.status) \r\n"
        for field in ProxyHeaders.returned(response) where !filter.isIn(name: field.name) {
            head += "\(field.name): \(filter.replaced(in: field.value))\r\n"
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

    func pass(_ part: UnsafeRawBufferPointer) throws { try filter.pass(part, to: write) }

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
        let rest = filter.end()
        if !rest.isEmpty { try rest.withUnsafeBytes(write) }
        try flush()
        if framing == .chunked { try served.write(Array("0\r\n\r\n".utf8)) }
    }
}

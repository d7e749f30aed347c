import CCurl
import Glibc

/// A request in progress.
///
/// - Note: `@unchecked Sendable` holds because after `CurlLoop.add` only the loop's thread touches it, and before that
///   the loop's thread touches `isCancelled` alone.
final class CurlTransfer: @unchecked Sendable {
    let request: HTTPRequest
    let proxy: String?
    let configuration: CurlTransport.Configuration
    let stream: HTTPStream?
    var continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>?
    var handle: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?
    var headers: [(name: String, value: String)] = []
    var headerLength = 0
    /// Whether the server is connected, so that it may have received the request. Always false before libcurl 7.80.
    var isConnected = false
    /// Whether headers or a part of the body arrived since the loop's last check.
    var hasArrived = false
    /// The CPU time of the loop's thread at that check, in microseconds.
    var workAtArrival = 0
    /// The time at which `waiting` is called; nil after the call.
    var silentFrom: ContinuousClock.Instant?
    var body: [UInt8] = []
    private var status = 0
    /// The head of a response whose body is passed to `eventPart`.
    private var eventHead: HTTPResponse?
    private var isHeadComplete = false
    private var isStreamed = false
    var refusal: HTTPError?
    let errorBuffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// Whether the task was cancelled before the transfer started.
    var isCancelled = false

    init(request: HTTPRequest, proxy: String?, configuration: CurlTransport.Configuration, stream: HTTPStream? = nil) {
        self.request = request
        self.proxy = proxy
        self.configuration = configuration
        self.stream = stream
        if configuration.waiting != nil, request.timeout != 0 { silentFrom = .now + .seconds(configuration.patience) }
        errorBuffer.initialize(repeating: 0)
    }

    // The loop has freed the handle before: only then it releases a transfer.
    deinit { errorBuffer.deallocate() }

    /// The transfer that a callback of libcurl is for.
    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// libcurl's words for the error.
    var message: String {
        String(decoding: errorBuffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var isSilent: Bool { silentFrom.map { headers.isEmpty && $0 <= .now } ?? false }

    func finish(_ result: Result<HTTPResponse, HTTPError>) {
        continuation?.resume(returning: result)
        continuation = nil
    }

    func take(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        headerLength += bytes.count
        guard headerLength <= 64 * 1024, headers.count < 200 else {
            refusal = .tooLarge(origin: request.url.origin)
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        let text = line.filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
        if line.hasPrefix("HTTP/") {
            headers.removeAll()  // an interim response went before this one
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
        } else if let last = headers.indices.last, line.hasPrefix(" ") || line.hasPrefix("\t") {
            // A folded line continues the field before it (RFC 9112 section 5.2).
            headers[last].value = "\(headers[last].value) \(text.trimmingSpaces())".trimmingSpaces()
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...]
            headers.append((name: text[..<colon].lowercased(), value: String(value).trimmingSpaces()))
        } else if let stream, !isHeadComplete, status >= 200, line == "\r\n" || line == "\n" {
            isHeadComplete = true
            isStreamed = stream.head(HTTPResponse(status: status, headers: headers))
        }
        return true
    }

    func take(bodyPart bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if isStreamed { return proceeds(stream?.part(UnsafeRawBufferPointer(bytes)) == true) }
        if let eventPart = request.eventPart, let head = eventHead ?? responseHead(), head.isEventStream {
            eventHead = head
            guard !eventPart(head, Array(bytes)) else { return true }
            refusal = .cancelled
            return false
        }
        guard body.count + bytes.count <= request.maximumResponseLength else {
            refusal = .tooLarge(origin: request.url.origin)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// libcurl calls this at least once a second.
    func continues() -> Bool { proceeds(stream?.continues() != false) }

    /// Returns nil if the body cannot be read to its end.
    func upload(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = stream?.upload?.read(buffer)
        return proceeds(count != nil) ? count : nil
    }

    private func proceeds(_ isWanted: Bool) -> Bool {
        if !isWanted { refusal = .cancelled }
        return isWanted
    }

    private func responseHead() -> HTTPResponse? { body.isEmpty ? HTTPResponse(status: status, headers: headers) : nil }

    /// Called before each connection is opened.
    func permits(_ address: UnsafePointer<sockaddr>) -> Bool { permits(zone(of: address)) }

    /// Called before the request is sent, because a reused connection was opened for another request.
    func permits(connectedTo address: String) -> Bool { permits(IPAddress(address)?.zone) }

    private func permits(_ zone: NetworkZone?) -> Bool {
        guard proxy == nil, let zone, zone < request.narrowestZone else { return true }
        refusal = .forbiddenAddress(origin: request.url.origin)
        return false
    }

    private func zone(of address: UnsafePointer<sockaddr>) -> NetworkZone? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let v4 = raw.assumingMemoryBound(to: sockaddr_in.self).pointee
            return withUnsafeBytes(of: v4.sin_addr) { IPAddress(bytes: Array($0)).zone }
        case AF_INET6:
            let v6 = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee
            return withUnsafeBytes(of: v6.sin6_addr) { IPAddress(bytes: Array($0)).zone }
        default: return nil
        }
    }
}

import CCurl
import CLinux
import Glibc

/// The thread that drives libcurl's multi interface.
///
/// - Note: `@unchecked Sendable` holds because only its thread uses the multi handle, except for `curl_multi_wakeup`,
///   which libcurl documents as callable from any thread; the queue is protected by a mutex.
final class CurlLoop: @unchecked Sendable {
    private struct Queue {
        var added: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []
        var isStopped = false
    }

    private var curl: ccurl
    private let multi: UnsafeMutableRawPointer
    private let queue = Lock(Queue())
    private var active: [CurlTransfer] = []

    private init(curl: ccurl, multi: UnsafeMutableRawPointer) {
        self.curl = curl
        self.multi = multi
    }

    /// Loads libcurl and starts the thread; nil when libcurl is not there.
    static func start() -> CurlLoop? {
        guard let loop = loaded() else { return nil }
        return NewThread.start({ loop.run() }) ? loop : nil
    }

    /// Loads libcurl for a thread that then calls `run`.
    static func loaded() -> CurlLoop? {
        OpenSSLStart.completeConfiguration()
        var curl = ccurl()
        guard ccurl_load(&curl) == 0 else { return nil }
        guard let multi = curl.curl_multi_init() else {
            ccurl_unload(&curl)
            return nil
        }
        return CurlLoop(curl: curl, multi: multi)
    }

    static func version() -> String? {
        var curl = ccurl()
        guard ccurl_load(&curl) == 0 else { return nil }
        defer { ccurl_unload(&curl) }
        return curl.curl_version().map { String(cString: $0) }
    }

    func add(_ transfer: CurlTransfer) { change { $0.added.append(transfer) } }
    func cancel(_ transfer: CurlTransfer) { change { $0.cancelled.append(transfer) } }
    func stop() { change { $0.isStopped = true } }

    private func change(_ body: (inout Queue) -> Void) {
        queue.withLock { body(&$0) }
        _ = curl.curl_multi_wakeup(multi)
    }

    func run() {
        while true {
            let (added, cancelled, isStopped) = queue.withLock { queue in
                defer {
                    queue.added = []
                    queue.cancelled = []
                }
                return (queue.added, queue.cancelled, queue.isStopped)
            }
            for transfer in added { begin(transfer) }
            for transfer in cancelled {
                transfer.isCancelled = true
                if active.contains(where: { $0 === transfer }) { end(transfer, .failure(.cancelled)) }
            }
            if isStopped { break }
            var running: Int32 = 0
            _ = curl.curl_multi_perform(multi, &running)
            var handle: UnsafeMutableRawPointer?
            while true {
                let code = ccurl_finished(&curl, multi, &handle)
                guard code >= 0 else { break }
                if let transfer = active.first(where: { $0.handle == handle }) {
                    end(transfer, result(of: transfer, CURLcode(rawValue: UInt32(code))))
                }
            }
            stopUnneededTransfers()
            reportSilentServers()
            _ = curl.curl_multi_poll(multi, nil, 0, 1000, nil)
        }
        for transfer in active { end(transfer, .failure(.cancelled)) }
        _ = curl.curl_multi_cleanup(multi)
        ccurl_unload(&curl)
    }

    /// The most that this thread may compute before more of a response arrives, in microseconds. Waiting costs nothing.
    private static let maximumUnneededWork = 1_000_000

    /// Ends transfers whose server sends an endless chunk extension (RFC 9112 section 7.1.1), which libcurl reads without a
    /// limit.
    private func stopUnneededTransfers() {
        let now = clinux_thread_work()
        // What this thread computed for one transfer does not count for the streams that wait for their next event.
        if active.contains(where: { $0.hasArrived }) {
            for transfer in active where transfer.hasArrived || transfer.request.eventPart != nil {
                (transfer.workAtArrival, transfer.hasArrived) = (now, false)
            }
        }
        for transfer in active
        where !transfer.headers.isEmpty && now - transfer.workAtArrival > CurlLoop.maximumUnneededWork {
            end(transfer, .failure(.malformedResponse(origin: transfer.request.url.origin, reason: "endless chunk")))
        }
    }

    private func reportSilentServers() {
        for transfer in active where transfer.isSilent {
            transfer.silentFrom = nil
            transfer.configuration.waiting?(transfer.request.url.host)
        }
    }

    private func begin(_ transfer: CurlTransfer) {
        guard !transfer.isCancelled else { return transfer.finish(.failure(.cancelled)) }
        guard let handle = curl.curl_easy_init() else { return transfer.finish(.failure(.clientUnavailable)) }
        transfer.handle = handle
        active.append(transfer)
        guard configure(handle, transfer), curl.curl_multi_add_handle(multi, handle) == CURLM_OK else {
            return end(transfer, .failure(.clientUnavailable))
        }
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<HTTPResponse, HTTPError>) {
        active.removeAll { $0 === transfer }
        if let handle = transfer.handle {
            _ = curl.curl_multi_remove_handle(multi, handle)
            curl.curl_easy_cleanup(handle)
            transfer.handle = nil
        }
        curl.curl_slist_free_all(transfer.headerList)
        transfer.headerList = nil
        transfer.finish(result)
    }

    private func configure(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) -> Bool {
        let request = transfer.request
        let configuration = transfer.configuration
        var isComplete = true
        func set(_ option: CURLoption, _ value: Int) {
            isComplete = isComplete && ccurl_set_long(&curl, handle, option, value) == CURLE_OK
        }
        func set(_ option: ccurl_text, _ value: String?) {
            isComplete = isComplete && ccurl_set_text(&curl, handle, option, value) == CURLE_OK
        }
        set(CCURL_URL, request.url.text)
        isComplete = isComplete && ccurl_set_protocol(&curl, handle, request.url.isSecure ? 1 : 0) == CURLE_OK
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_NOSIGNAL, 1)
        // Always told: libcurl never looks into the environment itself.
        set(CCURL_PROXY, transfer.proxy ?? "")
        set(CCURL_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2
        set(CURLOPT_CONNECTTIMEOUT, configuration.connectTimeout)
        set(CURLOPT_TIMEOUT, request.timeout ?? configuration.requestTimeout)
        if request.timeout == 0 { set(CURLOPT_TCP_KEEPALIVE, 1) }
        set(CCURL_ACCEPT_ENCODING, "")
        set(CCURL_USERAGENT, configuration.userAgent)
        if let authorities = configuration.authorities {
            for option in CurlLoop.options(for: authorities) { set(option.name, option.value) }
        }
        if request.url.isSecure { isComplete = isComplete && ccurl_demand_names(&curl, handle) == CURLE_OK }
        if let certificate = request.clientCertificate, request.url.isSecure {
            isComplete = isComplete && present(certificate, handle)
        }
        isComplete = isComplete && ccurl_set_error_buffer(&curl, handle, transfer.errorBuffer.baseAddress) == CURLE_OK
        switch request.method {
        case .get where request.body == nil: break
        case .head: set(CURLOPT_NOBODY, 1)
        case .post: set(CURLOPT_POST, 1)
        case .get, .put, .patch, .delete: set(CCURL_CUSTOMREQUEST, request.method.rawValue)
        }
        // If a reused connection ends without a response, libcurl sends the request again: a code or token would be used twice.
        if request.method != .get, request.method != .head { set(CURLOPT_FRESH_CONNECT, 1) }
        if let body = request.method == .post ? request.body ?? [] : request.body {
            isComplete = isComplete && ccurl_set_body(&curl, handle, body, body.count) == CURLE_OK
        }
        for header in request.headers + [(name: "Expect", value: "")] {
            let line = header.value.isEmpty ? "\(header.name):" : "\(header.name): \(header.value)"
            guard let list = curl.curl_slist_append(transfer.headerList, line) else { return false }
            transfer.headerList = list
        }
        isComplete = isComplete && ccurl_set_headers(&curl, handle, transfer.headerList) == CURLE_OK
        // The transfer is in `active` until its handle is gone.
        let called = ccurl_set_callbacks(
            &curl, handle, Unmanaged.passUnretained(transfer).toOpaque(),
            { bytes, size, count, context in
                CurlLoop.deliver(bytes, size * count, context) { $0.take(bodyPart: $1) }
            },
            { bytes, size, count, context in
                CurlLoop.deliver(bytes, size * count, context) { $0.take(headerLine: $1) }
            },
            { context, _, address in
                guard let context, let address else { return -1 }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                let permitted = withUnsafePointer(to: &address.pointee.addr) { transfer.permits($0) }
                guard permitted else { return -1 }  // CURL_SOCKET_BAD
                return socket(
                    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.pointee.protocol)
            },
            { context, address, _, _, _ in
                guard let context, let address else { return CURL_PREREQFUNC_ABORT }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.permits(connectedTo: String(cString: address))
                    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
        return isComplete && called == CURLE_OK
    }

    static func options(for authorities: String) -> [(name: ccurl_text, value: String?)] {
        [
            (CCURL_CAINFO, authorities), (CCURL_CAPATH, nil),
            (CCURL_PROXY_CAINFO, authorities), (CCURL_PROXY_CAPATH, nil),
        ]
    }

    private func present(_ certificate: ClientCertificate, _ handle: UnsafeMutableRawPointer) -> Bool {
        guard var key = try? certificate.key.pem() else { return false }
        defer { key.wipe() }
        let chain = certificate.chain.pem
        return ccurl_set_client_certificate(&curl, handle, chain, chain.count, key, key.count) == CURLE_OK
    }

    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?, _ length: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (CurlTransfer, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Int {
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let buffer = UnsafeRawBufferPointer(start: bytes, count: length).bindMemory(to: UInt8.self)
        transfer.hasArrived = true
        return take(transfer, buffer) ? length : 0
    }

    private func result(of transfer: CurlTransfer, _ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        if let refusal = transfer.refusal { return .failure(refusal) }
        let origin = transfer.request.url.origin
        guard code == CURLE_OK, let handle = transfer.handle else {
            return .failure(refusal(code, of: transfer) ?? error(code, origin, transfer.handle))
        }
        var status = 0
        guard ccurl_get_long(&curl, handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK, status > 0 else {
            return .failure(.malformedResponse(origin: origin, reason: "no status"))
        }
        var address: UnsafeMutablePointer<CChar>?
        _ = ccurl_get_string(&curl, handle, CURLINFO_PRIMARY_IP, &address)
        return .success(
            HTTPResponse(
                status: status, headers: transfer.headers, body: transfer.body,
                remoteAddress: transfer.proxy == nil ? address.map { String(cString: $0) } : nil))
    }

    /// A server that ends the handshake over the certificate that it requested (RFC 8446 section 6.2). With TLS 1.3
    /// that is known only when its response is read: it looks like a lost connection.
    private func refusal(_ code: CURLcode, of transfer: CurlTransfer) -> HTTPError? {
        let origin = transfer.request.url.origin
        let message = String(
            decoding: transfer.errorBuffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if code == CURLE_SSL_CERTPROBLEM, transfer.request.clientCertificate != nil {
            return .certificateUnusable(origin: origin, reason: message)
        }
        if message.contains("alert handshake failure") {
            return .untrusted(origin: origin, reason: .handshakeRefused)
        }
        guard transfer.request.url.isSecure, let alert = CertificateAlert(in: message) else { return nil }
        return transfer.request.clientCertificate == nil
            ? alert == .required ? .certificateRequired(origin: origin) : nil
            : .certificateRefused(origin: origin, reason: alert)
    }

    private func error(_ code: CURLcode, _ origin: String, _ handle: UnsafeMutableRawPointer?) -> HTTPError {
        let reason = curl.curl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SEND_ERROR:
            return .cannotConnect(origin: origin, reason: reason)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            var verdict = 0
            if let handle { _ = ccurl_get_long(&curl, handle, CURLINFO_SSL_VERIFYRESULT, &verdict) }
            return .untrusted(origin: origin, reason: CurlLoop.distrust(verdict, code, reason))
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            return .connectionLost(origin: origin, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(origin: origin)
        default: return .malformedResponse(origin: origin, reason: reason)
        }
    }
}

extension CurlLoop {
    fileprivate static func distrust(_ verdict: Int, _ code: CURLcode, _ reason: String) -> Distrust {
        switch verdict {
        // The chain was not complained of, or not yet looked at: libcurl has compared the name.
        case 0, 1, 62: code == CURLE_PEER_FAILED_VERIFICATION ? .otherName : .other(reason)
        case 9: .notYetValid
        case 10: .expired
        case 18, 19: .selfSigned
        case 2, 20, 21: .unknownAuthority
        case Int(CCURL_NAMELESS_CERTIFICATE): .noName
        default: .other(reason)
        }
    }
}

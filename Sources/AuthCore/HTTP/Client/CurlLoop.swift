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

    private init(curl: ccurl, multi: UnsafeMutableRawPointer) { (self.curl, self.multi) = (curl, multi) }

    /// Loads libcurl and starts the thread. Returns nil if libcurl is not installed.
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
                    end(transfer, curl.result(of: transfer, CURLcode(rawValue: UInt32(code))))
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

    /// Microseconds of CPU time that this thread may use for one transfer without receiving headers or a part of the
    /// body.
    private static let maximumUnneededWork = 1_000_000

    /// Ends transfers whose server sends an endless chunk extension (RFC 9112 section 7.1.1): libcurl has no limit for
    /// it.
    private func stopUnneededTransfers() {
        let now = clinux_thread_work()
        // CPU time that other transfers used is not counted for event streams that wait for their next event.
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
        guard curl.configure(handle, transfer), curl.curl_multi_add_handle(multi, handle) == CURLM_OK else {
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
}

/// The official emulator named by `FIREBASE_AUTH_EMULATOR_HOST`: on this machine, or on a host that the profile allows.
/// Other hosts are rejected, because the traffic is plain http.
package struct EmulatorHost: Sendable, Hashable {
    package enum Refusal: CodedError, Sendable, Equatable {
        case malformed
        case notAllowed(host: String)

        package var code: ErrorCode { .invalidConfiguration }
    }

    let url: HTTPURL

    package init(_ text: String, allowed: String? = nil) throws(Refusal) {
        guard !text.contains("/"), !text.contains("?"), let url = try? HTTPURL("http://\(text)") else {
            throw .malformed
        }
        self.url = url
        let names = [url.host, url.authority, name]
        guard url.isLoopback || allowed.map({ names.contains($0.lowercased()) }) == true else {
            throw .notAllowed(host: url.host)
        }
        // An emulator never listens on port 80, so the port is missing.
        guard !url.isLoopback || text.contains(text.hasPrefix("[") ? "]:" : ":") else { throw .malformed }
    }

    package static func isHost(_ text: String) -> Bool { HTTPURL(scheme: "http", authority: text) != nil }

    package var name: String { EmulatorName.canonical(String(url.origin.dropFirst("http://".count))) }

    var allowsPlainHTTP: Bool { !url.isLoopback }
}

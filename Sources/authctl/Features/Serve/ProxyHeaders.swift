import AuthCore
import CLinux

/// Which header fields a proxy passes on.
enum ProxyHeaders {
    /// Fields for one connection only (RFC 9110 section 7.6.1), or that the proxy sets itself.
    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "http2-settings", "proxy-authenticate", "proxy-authentication-info", "content-length",
    ]

    /// The request's fields that are forwarded without `--allow-header`, and the beginnings of others. APIs have too many
    /// fields for credentials, or for another host, path or user, to list those.
    private static let passed: Set<String> = [
        "accept", "accept-language", "user-agent", "if-match", "if-none-match", "if-modified-since",
        "if-unmodified-since", "prefer", "idempotency-key", "traceparent", "tracestate", "x-request-id",
        "x-github-api-version",
    ]
    private static let passedBeginnings = ["content-", "anthropic-", "mcp-"]

    /// Whether a field of a request is never forwarded, although its name begins like one that is: credentials, and
    /// fields with which some servers replace the method, the path or the host that the rule allowed.
    ///
    /// Also `Range`: an API could repeat the token in parts, which `SecretFilter` does not recognize.
    static func isRefused(_ field: String) -> Bool {
        // Some servers read an underscore as a hyphen.
        let name = field.replacing("_", with: "-")
        if ofConnection.contains(name) { return true }
        let names = [
            "cookie", "cookie2", "dpop", "host", "x-host", "expect", "accept-encoding", "forwarded", "x-real-ip",
            "x-http-method", "range", "if-range",
        ]
        let endings = ["authorization", "token", "api-key", "apikey", "method-override", "secret", "authctl-key"]
        let beginnings = ["x-forwarded-", "x-original-", "x-rewrite-"]
        return names.contains(name) || endings.contains(where: name.hasSuffix)
            || beginnings.contains(where: name.hasPrefix)
    }

    /// - Parameter allowed: more fields to forward, in lower case.
    static func forwarded(_ head: RequestHead, allowing allowed: Set<String>) -> [(name: String, value: String)] {
        let options = head.connectionOptions
        func isForwarded(_ name: String) -> Bool {
            !isRefused(name) && !options.contains(name)
                && (passed.contains(name) || allowed.contains(name) || passedBeginnings.contains(where: name.hasPrefix))
        }
        var fields = head.headers.filter { isForwarded($0.name) }.map { (name: $0.name, value: $0.value) }
        // Without these fields, libcurl would send its own values.
        for name in ["accept", "content-type"] where !fields.contains(where: { $0.name == name }) {
            fields.append((name: name, value: ""))
        }
        return fields
    }

    /// Cookies and nonces belong to the session. The other fields describe the API's server or connection, not the
    /// proxy.
    private static let notReturned: Set<String> = [
        "set-cookie", "set-cookie2", "dpop-nonce", "alt-svc", "strict-transport-security", "content-encoding",
        "clear-site-data", "authentication-info",
    ]

    static func returned(_ response: HTTPResponse) -> [(name: String, value: String)] {
        let options = response.headers.filter { $0.name == "connection" }
            .flatMap { $0.value.lowercased().split(separator: ",").map { String($0).trimmingSpaces() } }
        return response.headers.filter { field in
            !ofConnection.contains(field.name) && !options.contains(field.name) && !notReturned.contains(field.name)
                && !field.name.hasPrefix("access-control-")
                && (try? HTTPFieldProblem.check(name: field.name, value: field.value)) != nil
        }
    }
}

/// Replaces a secret with as many asterisks in bytes that arrive in parts. A beginning of the secret is held back until
/// the next part.
final class SecretFilter {
    private let secret: [UInt8]
    private var held: [UInt8] = []

    /// Shorter secrets are not replaced, because they could occur by chance.
    private static let shortest = 8

    init(_ secret: String) { self.secret = Array(secret.utf8) }

    private var isActive: Bool { secret.count >= SecretFilter.shortest }

    func pass(_ part: UnsafeRawBufferPointer, to write: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard isActive else { return try write(part) }
        if held.isEmpty, first(in: part, from: 0) == nil {
            let count = part.count - beginning(at: part)
            held = Array(part[count...])
            return count > 0 ? try write(UnsafeRawBufferPointer(rebasing: part[..<count])) : ()
        }
        var bytes = held + Array(part)
        var start = 0
        while let found = bytes.withUnsafeBytes({ first(in: $0, from: start) }) {
            bytes.replaceSubrange(
                found..<(found + secret.count), with: repeatElement(UInt8(ascii: "*"), count: secret.count))
            start = found + secret.count
        }
        let count = bytes.count - bytes.withUnsafeBytes { beginning(at: $0) }
        held = Array(bytes[count...])
        let passed = Array(bytes[..<count])
        if count > 0 { try passed.withUnsafeBytes(write) }
    }

    /// Returns the bytes that were held back.
    func end() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Header names are already in lower case.
    func isIn(name: String) -> Bool { isActive && name.contains(String(decoding: secret, as: UTF8.self).lowercased()) }

    func replaced(in text: String) -> String {
        isActive
            ? text.replacing(String(decoding: secret, as: UTF8.self), with: String(repeating: "*", count: secret.count))
            : text
    }

    private func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let found = clinux_find(base + start, bytes.count - start, secret, secret.count)
        return found < 0 ? nil : start + found
    }

    /// The number of bytes at the end that are the beginning of the secret.
    private func beginning(at bytes: UnsafeRawBufferPointer) -> Int {
        for count in stride(from: min(secret.count - 1, bytes.count), to: 0, by: -1)
        where bytes[bytes.count - count] == secret[0] && bytes.suffix(count).elementsEqual(secret.prefix(count)) {
            return count
        }
        return 0
    }
}

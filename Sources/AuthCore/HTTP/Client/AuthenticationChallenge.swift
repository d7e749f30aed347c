/// One challenge of a `WWW-Authenticate` field (RFC 9110 section 11.6.1).
package struct AuthenticationChallenge: Sendable, Equatable {
    package let scheme: String
    /// Some schemes have a token68 instead of parameters.
    package internal(set) var token68: String?
    /// Values without quotation marks, by name in lower case.
    package internal(set) var parameters: [String: String] = [:]

    /// Whether the server requests an access token (RFC 6750, RFC 9449).
    var requestsToken: Bool { scheme == "bearer" || scheme == "dpop" }
    /// Whether the challenge names the metadata of a protected resource (RFC 9728 section 5.1).
    var namesMetadata: Bool { parameters["resource_metadata"] != nil }

    package static func all(in response: HTTPResponse) -> [AuthenticationChallenge] {
        response.headers.filter { $0.name.lowercased() == "www-authenticate" }.flatMap { read($0.value) }
    }

    package static func read(_ value: String) -> [AuthenticationChallenge] {
        var reader = ChallengeReader(bytes: Array(value.utf8))
        return reader.challenges()
    }
}

/// Reads a list of challenges. Commas separate both challenges and parameters.
private struct ChallengeReader {
    let bytes: [UInt8]
    var position = 0
    private static let longest = 16

    private struct Malformed: Error {}

    mutating func challenges() -> [AuthenticationChallenge] {
        var whole: [AuthenticationChallenge] = []
        var current: AuthenticationChallenge?
        do {
            while whole.count < ChallengeReader.longest {
                skip { $0 == UInt8(ascii: ",") || ChallengeReader.isSpace($0) }
                guard position < bytes.count else { break }
                let name = try token()
                if current != nil, current?.token68 == nil, let value = try value() {
                    guard current?.parameters.updateValue(value, forKey: name) == nil else { throw Malformed() }
                    continue
                }
                if let current { whole.append(current) }
                current = AuthenticationChallenge(scheme: name)
                current?.token68 = token68()
            }
        } catch {
            return whole
        }
        return whole + (current.map { [$0] } ?? [])
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    private mutating func run(_ belongs: (UInt8) -> Bool) -> String {
        let start = position
        skip(belongs)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func token() throws(Malformed) -> String {
        let text = run(\.isTokenCharacter)
        guard !text.isEmpty else { throw Malformed() }
        return text.lowercased()
    }

    private mutating func value() throws(Malformed) -> String? {
        let start = position
        skip(ChallengeReader.isSpace)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
            position = start
            return nil
        }
        position += 1
        skip(ChallengeReader.isSpace)
        let value = position < bytes.count && bytes[position] == UInt8(ascii: "\"") ? try quoted() : try plain()
        try requireEnd()
        return value
    }

    private mutating func plain() throws(Malformed) -> String {
        // Also accepts characters that a token must not have: servers send URLs and scopes without quotation marks.
        let text = run { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
        guard !text.isEmpty else { throw Malformed() }
        return text
    }

    private mutating func quoted() throws(Malformed) -> String {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count else { throw Malformed() }
                byte = bytes[position]
                position += 1
            }
            guard byte.isFieldCharacter else { throw Malformed() }
            text.append(byte)
        }
        throw Malformed()
    }

    /// Throws unless the value is followed by a comma or the end.
    private mutating func requireEnd() throws(Malformed) {
        skip(ChallengeReader.isSpace)
        guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else { throw Malformed() }
    }

    private mutating func token68() -> String? {
        let start = position
        skip(ChallengeReader.isSpace)
        let text = run { $0.isLetterOrDigit || "-._~+/".utf8.contains($0) }
        let padding = run { $0 == UInt8(ascii: "=") }
        skip(ChallengeReader.isSpace)
        guard start < position, !text.isEmpty, position == bytes.count || bytes[position] == UInt8(ascii: ",") else {
            position = start
            return nil
        }
        return text + padding
    }
}

import AuthCore

/// The parameters of a query or a form body.
struct Form: Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ encoded: some Collection<UInt8>) { pairs = FormURLEncoded.decode(encoded) ?? [] }

    init(_ object: JSONObject) {
        pairs = object.members.compactMap { member in member.value.string.map { (member.name, $0) } }
    }

    var isEmpty: Bool { pairs.isEmpty }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// A repeated parameter, which OAuth forbids (RFC 6749 section 3.1).
    var repeated: String? { repeated(except: []) }

    func repeated(except allowed: Set<String>) -> String? {
        var seen: Set<String> = []
        return pairs.first { !seen.insert($0.name).inserted && !allowed.contains($0.name) }?.name
    }

    static func unescape(_ text: String) -> String? {
        FormURLEncoded.decode(Array("x=\(text)".utf8))?.first?.value
    }
}

extension Request {
    /// HTTP Basic credentials. Name and secret are form-encoded (RFC 6749 section 2.3.1).
    var basicCredentials: (name: String, secret: String)? {
        guard let pair = rawBasicCredentials, let name = Form.unescape(pair.name),
            let secret = Form.unescape(pair.secret)
        else { return nil }
        return (name, secret)
    }

    /// HTTP Basic credentials without form-decoding.
    var rawBasicCredentials: (name: String, secret: String)? {
        guard let authorization, authorization.hasPrefix("Basic "),
            let pair = Base64Text.decode(String(authorization.dropFirst(6))), let colon = pair.firstIndex(of: ":")
        else { return nil }
        return (String(pair[..<colon]), String(pair[pair.index(after: colon)...]))
    }
}

/// Base64 with padding, as in HTTP Basic.
enum Base64Text {
    static func decode(_ text: String) -> String? { bytes(text).flatMap { String(validating: $0, as: UTF8.self) } }

    static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        return Base64URL.decode(String(plain))
    }
}

import AuthCore

/// What docker asks a credential helper for: a server, on one line (docker-credential-helpers, "get").
struct DockerCredential: Equatable {
    /// As docker wrote it, and wants to read it again.
    let server: String

    /// Nil for what is no line of visible ASCII: a line break or another control character could make one server of two.
    init?(_ input: [UInt8]) {
        var line = input[...]
        if line.last == 10 { line = line.dropLast() }
        if line.last == 13 { line = line.dropLast() }
        guard (1...2048).contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        server = String(decoding: line, as: UTF8.self)
    }

    /// The server of a URL; docker writes its own registry as `https://index.docker.io/v1/`, and nothing else has a path.
    var url: HTTPURL? {
        guard let url = try? HTTPURL(server), url.query == nil, ["", "/", "/v1/", "/v2/"].contains(url.path) else {
            return nil
        }
        return url
    }
}

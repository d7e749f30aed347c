import AuthCore

/// A docker credential request: one line with a server (docker-credential-helpers, "get").
struct DockerCredential: Equatable {
    let server: String

    init?(_ input: [UInt8]) {
        var line = input[...]
        if line.last == 10 { line = line.dropLast() }
        if line.last == 13 { line = line.dropLast() }
        guard (1...2048).contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        server = String(decoding: line, as: UTF8.self)
    }

    var url: HTTPURL? {
        guard let url = try? HTTPURL(server), url.query == nil, ["", "/", "/v1/", "/v2/"].contains(url.path) else {
            return nil
        }
        return url
    }
}

import ArgumentParser
import AuthCore

/// A protected resource as it is typed: its URL, kept byte for byte (RFC 8707 section 2).
struct ResourceURL: ExpressibleByArgument {
    let url: HTTPURL
    var text: String { url.text }

    init?(argument: String) {
        guard let url = try? HTTPURL(argument) else { return nil }
        self.url = url
    }
}

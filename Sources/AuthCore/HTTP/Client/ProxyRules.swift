/// Decides which requests use a proxy, from the variables that curl(1) reads. The decision is made before a request is
/// sent, so that it is known whether the connection's address is the proxy's.
package struct ProxyRules: Sendable, Equatable {
    private let plain: String?
    private let secure: String?
    private let exceptions: [String]

    package static let variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]

    package init(_ environment: Environment) {
        func first(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first }
        plain = first("http_proxy", "all_proxy", "ALL_PROXY")
        secure = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy of a request to `url`; nil for none. Loopback URLs never use a proxy: it could read the request, or
    /// connect to its own loopback address.
    func proxy(for url: HTTPURL) -> String? {
        guard let proxy = url.isSecure ? secure : plain, !url.isLoopback else { return nil }
        return exceptions.contains { ProxyRules.covers($0, url.host) } ? nil : proxy
    }

    /// The URL's scheme in lower case, such as `socks5h`.
    static func scheme(of proxy: String) -> String {
        proxy.contains("://") ? proxy.prefix { $0 != ":" }.lowercased() : "http"
    }

    /// The host and port of a proxy, without a user name and password.
    package static func server(of proxy: String) -> String {
        let authority = proxy.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return String(authority.replacing("://", with: " ").split(separator: " ").last?.prefix { $0 != "/" } ?? "")
    }

    /// The entries of `no_proxy` that match no host, because they have a port, a scheme or a pattern.
    package var unmatched: [String] {
        exceptions.filter { $0 != "*" && IPNetwork($0) == nil && !$0.hasOnlyLettersAndDigits(or: "-._") }
    }

    private static func covers(_ exception: String, _ host: String) -> Bool {
        if exception == "*" { return true }
        if let address = IPAddress(host) { return IPNetwork(exception)?.contains(address) ?? false }
        let domain = exception.drop { $0 == "." }
        let name = domain.hasSuffix(".") ? domain.dropLast() : domain
        return !name.isEmpty && (host == name || host.hasSuffix("." + name))
    }
}

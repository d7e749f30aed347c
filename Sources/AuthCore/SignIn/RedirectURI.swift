/// Where the provider sends the person back, and where this process listens for it.
struct RedirectURI {
    /// As registered; nil for the default one on any port.
    private let registered: HTTPURL?
    let listener: LoopbackListener.Configuration

    /// The port that the paste flow names when none is given: nobody listens there.
    static let pastePort: UInt16 = 8400

    /// - Parameter port: what the person asked for; wins over the registered one only where that is public.
    /// - Throws: `SignInError.unreachableRedirectURI`, `ProviderError.invalid`.
    init(_ provider: Provider, port: UInt16?) throws {
        guard let text = provider.redirectURI else {
            registered = nil
            listener = LoopbackListener.Configuration(port: port ?? 0)
            return
        }
        let url: HTTPURL
        do {
            url = try HTTPURL(text)
        } catch {
            throw ProviderError.invalid(
                setting: "\(provider.id): redirect_uri", reason: "'\(ServerText(text))' is no URL")
        }
        registered = url
        let path = url.path.isEmpty ? "/" : url.path
        if url.isLoopback {
            let host = url.host == "localhost" ? "localhost" : url.host == "127.0.0.1" ? "127.0.0.1" : "[::1]"
            listener = LoopbackListener.Configuration(
                host: host, port: port ?? RedirectURI.explicitPort(url) ?? 0, path: path)
        } else {
            // A proxy or tunnel ends at our port and passes its own host name on.
            guard let port else { throw SignInError.unreachableRedirectURI(text) }
            listener = LoopbackListener.Configuration(port: port, path: path, acceptedHosts: [url.authority])
        }
    }

    private static func explicitPort(_ url: HTTPURL) -> UInt16? {
        url.text.contains(":\(url.port)") ? url.port : nil
    }

    /// The registered port, where it names one.
    var fixedPort: UInt16? { registered.flatMap(RedirectURI.explicitPort) }

    /// The exact text to send as `redirect_uri`.
    func uri(boundTo port: UInt16) -> String {
        guard let registered else { return "http://127.0.0.1:\(port)/callback" }
        guard registered.isLoopback, RedirectURI.explicitPort(registered) != port else { return registered.text }
        let host = registered.host.contains(":") ? "[\(registered.host)]" : registered.host
        return "http://\(host):\(port)\(registered.path)"
    }
}

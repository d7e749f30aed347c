/// The redirect URI of a sign-in, and the configuration of its listener.
struct RedirectURI {
    private let registered: HTTPURL?
    private let defaultHost: String
    private let defaultPath: String
    let listener: LoopbackListener.Configuration

    init(_ provider: Provider, port: UInt16?, responseMode: ResponseMode, isPasted: Bool) throws {
        try self.init(
            provider.redirectURI, as: provider.dialect.redirect, path: provider.redirectPath, of: provider.id,
            port: port,
            responseMode: responseMode, isPasted: isPasted)
    }

    init(
        _ text: String?, as kind: Dialect.Redirect, path: String, of name: String, port: UInt16?,
        responseMode: ResponseMode, isPasted: Bool
    ) throws {
        var text = text
        defaultPath = path
        switch kind {
        case .anyPort(let host): defaultHost = host
        case .fixedPort(let host):
            defaultHost = host
            text = text ?? "http://\(host):\(port ?? Provider.defaultPort)\(path)"
        case .publicURL:
            defaultHost = "127.0.0.1"
            guard text != nil else { throw SignInError.redirectURINeeded(provider: name) }
        }
        guard let text else {
            registered = nil
            listener = LoopbackListener.Configuration(
                host: defaultHost, port: port ?? 0, path: path, responseMode: responseMode)
            return
        }
        let url: HTTPURL
        do { url = try HTTPURL(text) } catch {
            throw ProviderError.notAURL(setting: "\(name): redirect_uri", ServerText(text))
        }
        registered = url
        let path = url.path.isEmpty ? "/" : url.path
        if url.isLoopback {
            let host = ["localhost", "127.0.0.1"].contains(url.host) ? url.host : "[::1]"
            listener = LoopbackListener.Configuration(
                host: host, port: port ?? url.explicitPort ?? 0, path: path, responseMode: responseMode)
        } else {
            // A proxy or tunnel forwards to this port, but keeps its own host name in the `Host` field.
            guard let port = isPasted ? port ?? Provider.defaultPort : port else {
                throw SignInError.unreachableRedirectURI(text)
            }
            listener = LoopbackListener.Configuration(
                port: port, path: path, responseMode: responseMode, acceptedHosts: [url.authority])
        }
    }

    func unattendedURI(port: UInt16?) -> String {
        uri(boundTo: port ?? registered?.explicitPort ?? Provider.defaultPort)
    }

    func uri(boundTo port: UInt16) -> String {
        guard let registered else { return "http://\(defaultHost):\(port)\(defaultPath)" }
        guard registered.isLoopback, registered.explicitPort != port else { return registered.text }
        return "http://\(registered.bracketedHost):\(port)\(registered.path)\(registered.queryWithMark)"
    }
}

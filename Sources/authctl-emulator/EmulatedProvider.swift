import AuthCore

/// A provider that the emulator supports: its ID, its faults and its endpoints. Endpoints that several providers have
/// are methods of `AuthorizationServer` or `TokenIssuer`.
struct EmulatedProvider: Sendable {
    let id: String
    var supportsAlgorithms = false
    let faults: Set<Fault>
    let endpoints: @Sendable (Site) throws -> [Endpoint]

    static let all: [EmulatedProvider] = [
        .openID, .gitHub, .apple, .microsoft, .google, .facebook, .x, .gitHubActions, .gitLabCI, .kubernetes, .firebase,
    ]

    static func named(_ id: String) -> EmulatedProvider? { all.first { $0.id == id } ?? service(id) }
}

struct Endpoint {
    var method: String?
    var path: String?
    var upstreamRequest: (Request) -> UpstreamRequest? = { _ in nil }
    /// Returns nil if the next endpoint should handle the request.
    var handle: (Request) throws -> Reply?

    static func any(_ path: String?, _ handle: @escaping (Request) throws -> Reply?) -> Endpoint {
        Endpoint(method: nil, path: path, handle: handle)
    }

    static func get(_ path: String, _ handle: @escaping (Request) throws -> Reply?) -> Endpoint {
        Endpoint(method: "GET", path: path, handle: handle)
    }

    static func post(_ path: String, _ handle: @escaping (Request) throws -> Reply?) -> Endpoint {
        Endpoint(method: "POST", path: path, handle: handle)
    }

    static func delete(_ path: String, _ handle: @escaping (Request) throws -> Reply?) -> Endpoint {
        Endpoint(method: "DELETE", path: path, handle: handle)
    }

    func isFor(_ request: Request) -> Bool {
        (method == nil || method == request.method) && isAt(request)
    }

    func isAt(_ request: Request) -> Bool {
        guard let path, path != request.path else { return true }
        let pattern = path.split(separator: "/", omittingEmptySubsequences: false)
        let given = request.path.split(separator: "/", omittingEmptySubsequences: false)
        return pattern.count == given.count
            && zip(pattern, given).allSatisfy {
                $0 == $1 || $0.hasSuffix("*") && !$1.isEmpty && $1.hasPrefix($0.dropLast())
            }
    }
}

struct Emulation {
    private let site: Site
    private let endpoints: [Endpoint]

    init(_ provider: EmulatedProvider, _ settings: Settings, now: @escaping @Sendable () -> Int64) throws {
        var settings = settings
        if !provider.supportsAlgorithms { settings.algorithm = .rs256 }
        site = Site(settings, now: now)
        endpoints = try [.any("/emulator/requests", site.requests)] + provider.endpoints(site)
    }

    func upstreamRequest(for request: Request) -> UpstreamRequest? {
        endpoints.lazy.filter { $0.isFor(request) }.compactMap { $0.upstreamRequest(request) }.first
    }

    func reply(to request: Request) throws -> Reply {
        if let header = site.settings.certificateHeader, ForwardedCertificate(request, header: header) != nil {
            site.count("certificate \(request.path)")
        }
        let reply = try endpointReply(to: request)
        site.settings.record?.add(request, reply)
        return reply
    }

    private func endpointReply(to request: Request) throws -> Reply {
        for endpoint in endpoints where endpoint.isFor(request) {
            if let reply = try endpoint.handle(request) { return reply }
        }
        let methods = endpoints.filter { $0.isAt(request) && !$0.isFor(request) }.compactMap(\.method)
        guard methods.isEmpty else {
            var reply = Pages.problem("'\(request.path)' does not support \(request.method).", status: 405)
            reply.headers.append(("Allow", methods.joined(separator: ", ")))
            return reply
        }
        return Pages.problem("There is no endpoint '\(request.path)'.", status: 404)
    }
}

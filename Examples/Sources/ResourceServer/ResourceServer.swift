import AuthCore
import FlyingFox
import FoundationEssentials
import Glibc

/// An API whose callers bring tokens: ResourceServer ISSUER AUDIENCE
@main
struct ResourceServer {
    static func main() async throws {
        let verifier = try TokenVerifier(
            issuer: CommandLine.arguments[1], audience: CommandLine.arguments[2], kind: .idToken)
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("GET /whoami") { await respond($0, verifier) }
        let running = Task { try await server.run() }
        try await server.waitUntilListening()
        if case .ip4(_, let port)? = await server.listeningAddress { puts("http://127.0.0.1:\(port)") }
        fflush(nil)
        try await running.value
    }

    static func respond(_ request: HTTPRequest, _ verifier: TokenVerifier) async -> HTTPResponse {
        let authenticate = HTTPHeader("WWW-Authenticate")
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer ") else {
            return HTTPResponse(statusCode: .unauthorized, headers: [authenticate: "Bearer"])
        }
        do {
            // A claim comes out of a token that was verified, and there is no other way to one.
            let token = try await verifier.verify(String(header.dropFirst("Bearer ".count)))
            return HTTPResponse(statusCode: .ok, body: Data("hello \(token.subject)\n".utf8))
        } catch {
            return HTTPResponse(statusCode: .unauthorized, headers: [authenticate: #"Bearer error="invalid_token""#])
        }
    }
}

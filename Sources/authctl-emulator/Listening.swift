import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc

/// The HTTP side of the emulator.
enum Listening {
    /// Holds the provider, which can be made only when the port, and so the issuer, is known.
    private actor Holder {
        var provider: EmulatedProvider?
        func set(_ provider: EmulatedProvider) { self.provider = provider }
    }

    /// Listens on a port of 127.0.0.1, prints the issuer, and answers until the process ends.
    /// - Parameter port: 0 for any free one.
    static func serve(
        port: UInt16, provider make: @escaping @Sendable (_ issuer: String) throws -> EmulatedProvider
    ) async throws {
        let holder = Holder()
        let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
        let server = HTTPServer(address: address, timeout: 30, logger: .disabled)
        await server.appendRoute("*") { request in
            guard let provider = await holder.provider else { return HTTPResponse(statusCode: .serviceUnavailable) }
            return response(try await reply(request, provider))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try await server.waitUntilListening(timeout: 10)
                guard case .ip4(_, let bound)? = await server.listeningAddress else {
                    throw SocketError.unsupportedAddress
                }
                let issuer = "http://127.0.0.1:\(bound)"
                await holder.set(try make(issuer))
                print(issuer)
                fflush(nil)
            }
            for try await _ in group {}
        }
    }

    private static func reply(
        _ request: HTTPRequest, _ provider: EmulatedProvider
    ) async throws -> EmulatedProvider.Reply {
        let query = Form(Array(request.target.query().utf8))
        let authorization = request.headers[.authorization]
        let isPost = request.method == .POST
        func form() async throws -> Form { Form(Array(try await request.bodyData)) }
        switch (request.path, isPost) {
        case ("/.well-known/openid-configuration", false), ("/.well-known/oauth-authorization-server", false):
            return await provider.discovery()
        case ("/jwks", false): return await provider.keySet()
        case ("/authorize", false): return try await provider.authorize(query)
        case ("/authorize", true): return try await provider.authorize(try await form())
        case ("/authorize/decision", true): return try await provider.decide(try await form())
        case ("/token", true): return try await provider.tokens(try await form(), authorization: authorization)
        case ("/userinfo", _): return await provider.userInfo(authorization: authorization)
        case ("/revoke", true): return await provider.revoke(try await form(), authorization: authorization)
        case ("/register", true): return try await provider.register(Array(try await request.bodyData))
        case ("/logout", _): return await provider.logout()
        case ("/emulator/requests", false): return await provider.requestCounts()
        default: return Pages.problem("there is nothing at '\(request.path)'")
        }
    }

    private static func response(_ reply: EmulatedProvider.Reply) -> HTTPResponse {
        var headers = HTTPHeaders()
        for (name, value) in reply.headers { headers[HTTPHeader(name)] = value }
        headers[HTTPHeader("Date")] = HTTPDateText.now()
        return HTTPResponse(
            statusCode: HTTPStatusCode(reply.status, phrase: reply.status < 400 ? "OK" : "Error"), headers: headers,
            body: Data(reply.body))
    }
}

/// The `Date` header, which FlyingFox leaves out.
enum HTTPDateText {
    static func now() -> String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

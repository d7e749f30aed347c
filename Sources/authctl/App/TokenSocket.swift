import AuthCore
import CLinux
import Glibc

/// The socket of `authctl serve` that AUTHCTL_SOCKET names: tokens come from it instead of the store.
struct TokenSocket {
    static let variable = "AUTHCTL_SOCKET"
    private static let limit = 1 << 20
    /// Seconds in which a server answers a request that needs no refresh, also on a busy machine.
    private let patience = 8

    let path: String
    /// Seconds for each read and write: the server may have to refresh the token.
    private let deadline: Int

    /// Nil if the variable is not set, or if the options name a profile or configuration directory of this machine.
    init?(_ settings: Settings, _ environment: Environment) {
        guard let path = environment[TokenSocket.variable], settings.configDir == nil, settings.profile == nil
        else { return nil }
        self.path = path
        deadline = min(60, settings.timeout)
    }

    func token(_ request: CurrentToken.Request) throws -> CurrentToken.Result {
        let parameters = [
            ("provider", request.provider), ("resource", request.resource?.text), ("account", request.account),
        ].compactMap { name, value in value.map { (name, $0) } }
        let response = try response(to: "/token?" + FormURLEncoded.encode(parameters), within: deadline)
        guard let end = RequestHead.end(in: response),
            let line = String(validating: response[..<end].prefix { $0 != 13 }, as: UTF8.self)?.split(separator: " "),
            line.count > 1, line[0] == "HTTP/1.1", let status = Int(line[1]),
            let body = try? StrictJSON.object(Array(response[end...]))
        else { throw invalid }
        guard status == 200 else { throw refusal(status, body["error"]?.object) }
        // A DPoP-bound token could not be used without its key.
        guard let token = body["access_token"]?.string, !token.isEmpty, token.isVisibleASCII,
            body["token_type"] == "Bearer"
        else { throw invalid }
        return CurrentToken.Result(
            token: AccessToken(token), providerID: request.provider ?? "",
            validity: TokenValidity(expiresAt: Seconds.time(of: body["expires_on"]), lifetime: nil),
            scopes: Scopes.split(body["scope"]?.string ?? ""))
    }

    private func response(to target: String, within seconds: Int) throws -> [UInt8] {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failed(errno) }
        defer { close(descriptor) }
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard let address = UnixAddress(path) else { throw failed(ENAMETOOLONG) }
        guard address.call(connect, descriptor) == 0 else { throw failed(errno) }
        // In a directory that other users can write to, the socket may be an attacker's.
        var (process, user) = (pid_t(), uid_t())
        guard clinux_socket_peer(descriptor, &process, &user) == 0 else { throw failed(errno) }
        guard [geteuid(), 0].contains(user) else {
            throw CommandError(
                .operationNotAllowed,
                "the socket of AUTHCTL_SOCKET '\(shown: path)' belongs to a process of user \(user)",
                hint: "set AUTHCTL_SOCKET to a socket of your own")
        }
        let request = Array("GET \(target) HTTP/1.1\r\nHost: authctl\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw failed(errno)
        }
        // A server that waits for a provider still answers other requests. One that hangs does not.
        if seconds > patience, Poll.wait(for: POLLIN, on: descriptor, milliseconds: Int32(patience) * 1000) == 0 {
            _ = try response(to: "/", within: patience)
        }
        do throws(PathFault.Reason) {
            return try BoundedRead.all(of: descriptor, limit: TokenSocket.limit, isSecret: true)
        } catch {
            guard case .system(let code) = error else { throw invalid }
            throw failed(code)
        }
    }

    private func failed(_ code: Int32) -> CommandError {
        let isSilent = code == EAGAIN
        let reason = isSilent ? "its server does not answer" : SystemText.of(code)
        return CommandError(
            .networkFailed, "the socket of AUTHCTL_SOCKET '\(shown: path)' cannot be used: \(reason)",
            hint: isSilent
                ? "restart its server, or unset AUTHCTL_SOCKET"
                : "to start its server: \(run: "authctl serve --socket \(path) --allow provider=ID")")
    }

    private var invalid: CommandError {
        CommandError(
            .invalidResponse, "the response of the socket '\(shown: path)' is not a token",
            hint: "check AUTHCTL_SOCKET")
    }

    /// - Parameter error: the server's error, as `--json` prints it.
    private func refusal(_ status: Int, _ error: JSONObject?) -> CommandError {
        let isLocked = error?["code"] == .string(ErrorCode.vaultLocked.rawValue)
        let code: ErrorCode =
            switch status {
            case 400: .usage
            case 401: isLocked ? .vaultLocked : .signInRequired
            case 403: .operationNotAllowed
            case 501: .unsupported
            case 503: .providerUnavailable
            default: .requestFailed
            }
        let reason = ServerText(error?["message"]?.string ?? "status \(status)")
        let hint = error?["hint"]?.string.map {
            Hint(prose: "on the machine where the server of this socket runs: \(ServerText($0))")
        }
        return CommandError(
            code, "the token socket '\(shown: path)' refused: \(reason)",
            hint: hint ?? "see the audit file of the server", isComplete: false)
    }
}

extension Context {
    var tokenSocket: TokenSocket? { TokenSocket(settings, environment) }
}

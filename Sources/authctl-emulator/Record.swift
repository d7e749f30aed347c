import AuthCore
import Glibc

/// Writes every secret that is sent or received to a file, one per line. Tests search for them in other places.
final class Record: Sendable {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func add(_ secret: String?) {
        // Shorter values could occur by chance.
        guard let secret, secret.utf8.count >= 8 else { return }
        let line = Array((secret + "\n").utf8)
        _ = write(descriptor, line, line.count)
    }

    private static let sent = [
        "code", "code_verifier", "client_secret", "client_assertion", "assertion", "subject_token", "refresh_token",
        "token",
        "device_code",
    ]
    private static let issued = [
        "access_token", "refresh_token", "id_token", "device_code", "client_secret", "value",
    ]

    func add(_ request: Request, _ reply: Reply) {
        for name in Record.sent { add(request.form[name]) }
        add(request.bearerToken)
        add(request.headers["dpop"])
        add(request.basicCredentials?.secret)
        let isForm = reply.headers.contains { $0.0 == "Content-Type" && $0.1.contains("form-urlencoded") }
        let form = isForm ? Form(reply.body) : nil
        let object = try? StrictJSON.object(reply.body)
        for name in Record.issued { add(form?[name] ?? object?[name]?.string) }
    }
}

import AuthCore

/// Writes every secret that is sent or received to a file, one per line. Tests search for them in other places.
struct Record: Sendable {
    let file: LineFile

    func add(_ secret: String?) {
        // Shorter values could occur by chance.
        guard let secret, secret.utf8.count >= 8 else { return }
        file.append(secret)
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

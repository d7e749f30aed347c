import Testing

/// AuthCore reports error cases without texts. The texts are in authctl.
@Suite struct `Wording` {
    /// Files of AuthCore that may contain sentences, and why.
    static let exceptions = [
        "Crypto/": "the OpenSSL call that failed, for developers",
        "OAuth/OAuthError.swift": "the message of Twitch for a rejected refresh token",
        "HTTP/Client/HTTPTrace.swift": "the trace of --verbose",
        "HTTP/Client/CertificateAlert.swift": "how OpenSSL names the alerts of TLS",
        "HTTP/Client/CurlHandle.swift": "failures for which libcurl has no text",
        "HTTP/Client/CurlLoop.swift": "failures for which libcurl has no text",
        "Providers/Workloads/CISystems.swift": "flags of the programs that give a job its token",
        "UseCases/Tokens/ProfileServices.swift": "flags of gh, which prints its token",
        "UseCases/Tokens/RenewalTelemetry.swift": "the name of a span",
        "Files/": "system calls that failed",
        "Store/": "system calls that failed; names of migrations and of encrypted values",
        "PublicAPI/": "what a program logs",
    ]

    private static let sql: Set<Substring> = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP", "PRAGMA", "WITH", "BEGIN", "REPLACE",
    ]

    /// Whether a text has two consecutive words of a sentence, or a flag.
    static func isUserFacing(_ text: String) -> Bool {
        if let first = text.split(whereSeparator: \.isWhitespace).first, sql.contains(first) { return false }
        return text.firstMatch(of: /(?:^|[\s(])[a-z]{2,} [a-z']{2,}/) != nil || text.contains(/(?:^|\s)--[a-z]/)
    }

    @Test func `Sentences and options are distinguished from machine-readable text`() {
        for text in ["it is too long", "'\\(…)' is missing", "requires --host", "'id' has no digits"] {
            #expect(Self.isUserFacing(text), "\(text)")
        }
        for text in [
            "openid", "application/json", "SELECT uid FROM account where uid = ?", "read:user user:email",
            "Bearer \\(…)",
            "access_token", "--",
        ] {
            #expect(!Self.isUserFacing(text), "\(text)")
        }
    }

    @Test func `AuthCore contains sentences and options only in files with a reason`() throws {
        var unused = Set(Self.exceptions.keys)
        for file in try Architecture.shared.get().files.values where file.target == "AuthCore" {
            let path = file.path.dropFirst("AuthCore/".count)
            let sentences = file.literals.filter { Self.isUserFacing($0.words) }
            if let exception = Self.exceptions.keys.first(where: { path.hasPrefix($0) }) {
                if !sentences.isEmpty { unused.remove(exception) }
                continue
            }
            for sentence in sentences { Issue.record("\(file.path):\(sentence.line): \(sentence.words)") }
        }
        #expect(unused.isEmpty, "no longer needed: \(unused.sorted())")
    }
}

/// Words that users of other tools do not know, with the term to use instead.
@Suite struct `Plain English` {
    static let terms: KeyValuePairs = [
        "whoever|somebody|nobody|anybody|everybody|no one|whom": "user, caller, client, attacker, process",
        "whatever|whichever|wherever": "any, every, each",
        "mend|mends|mended": "fix",
        "goes with|go with": "requires",
        "needs no|need no": "does not require, or: cannot be used with",
        "takes over|take over": "imports, refreshes",
        "anew": "again",
        "besides|beneath": "also, below",
        "thief|thieves": "attacker",
        "still lives|lives on|its life|their life": "is still valid, lifetime",
        "usual|usually|unless given": "default",
        "trade|trades|traded": "exchange",
        "stands there|is said|is told|are told": "is, prints, reports",
        "by itself|by themselves": "automatically",
        "at hand": "existing",
        "is sealed|are sealed": "is encrypted",
        "who asks|what came|is meant|are meant|was meant": "the name of the thing",
        "proven|proves who": "re-authenticated",
        "has none|have none": "does not have",
        "another one|that is there": "the name of the thing",
        "good for": "valid for",
        "bound to nothing": "not sender-constrained",
        "protected URL": "protected resource",
    ]

    /// The terms by their first word. Each is a list of words, in which `0` stands for any number.
    private static let phrases: [Substring: [(words: [Substring], term: String)]] = Dictionary(
        grouping: terms.flatMap { phrases, term in
            phrases.split(separator: "|").map { (words: $0.split(separator: " "), term: term) }
        }, by: { $0.words.first ?? "" })

    private static func found(in text: some StringProtocol) -> [(words: [Substring], term: String)] {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
            .map { $0.allSatisfy(\.isNumber) ? "0" : $0 }
        return words.indices.flatMap { index in
            (phrases[words[index]] ?? []).filter { words[index...].starts(with: $0.words) }
        }
    }

    private static func check(_ text: some StringProtocol, _ place: String) {
        for (words, term) in found(in: text) {
            Issue.record("\(place): '\(words.joined(separator: " "))': write \(term): \(text)")
        }
    }

    @Test func `A term is found in any case, next to other characters and in a phrase`() {
        for text in ["Whoever has it", "the key, anew", "(usually 300)", "It 'goes with' --ci", "somebody's"] {
            #expect(Self.found(in: text).count == 1, "\(text)")
        }
        for text in ["amend it", "it goes without", "an unusual token", "the tradeoff"] {
            #expect(Self.found(in: text).isEmpty, "\(text)")
        }
    }

    @Test func `Help, messages and prompts do not use the listed terms`() throws {
        for file in try Architecture.shared.get().files.values where !file.target.hasPrefix("C") {
            for literal in file.literals where file.target != "AuthCore" || Wording.isUserFacing(literal.words) {
                Self.check(literal.words, "\(file.path):\(literal.line)")
            }
        }
    }

    @Test func `The manual does not use the listed terms`() throws {
        for (path, text) in try Repository.files("man", suffix: ".1") {
            for line in text.split(separator: "\n") { Self.check(line, path) }
        }
    }

    @Test func `Documents do not use the listed terms`() throws {
        var documents = try Repository.files("docs", suffix: ".md")
        for name in ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
            documents[name] = try Repository.text(name)
        }
        for (path, text) in documents {
            var isCode = false
            for line in text.split(separator: "\n") {
                if line.hasPrefix("```") { isCode.toggle() }
                if !isCode { Self.check(line.replacing(/`[^`]*`/, with: ""), path) }
            }
        }
    }
}

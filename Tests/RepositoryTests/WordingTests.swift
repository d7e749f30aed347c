import Testing

/// The core reports cases; the program that shows them has the texts.
@Suite struct `Wording` {
    /// Sentences in the core that are allowed, and why.
    static let exceptions = [
        "Crypto/": "what OpenSSL was asked to do, for who mends this program",
        "OAuth/LoopbackListener.swift": "what the system was asked to do",
        "HTTP/HTTPTrace.swift": "the trace of --verbose",
        "HTTP/CertificateAlert.swift": "how OpenSSL names the alerts of TLS",
        "HTTP/CurlLoop.swift": "what libcurl has no words of its own for",
        "Providers/Workloads/CISystems.swift": "flags of the programs that give a job its token",
        "SignIn/Tokens/RenewalTelemetry.swift": "how a span is called",
        "Storage/": "what the system was asked to do; names of migrations and of sealed places",
        "PublicAPI/": "what a program logs",
        "SessionStore/": "names of sealed places",
    ]

    private static let sql: Set<Substring> = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP", "PRAGMA", "WITH", "BEGIN", "REPLACE",
    ]

    /// Two words of a sentence one behind the other, or a flag.
    static func isForPeople(_ text: String) -> Bool {
        if let first = text.split(whereSeparator: \.isWhitespace).first, sql.contains(first) { return false }
        return text.firstMatch(of: /(?:^|[\s(])[a-z]{2,} [a-z']{2,}/) != nil || text.contains(/(?:^|\s)--[a-z]/)
    }

    @Test func `sentences and options are distinguished from machine-readable text`() {
        for text in ["it is too long", "'\\(…)' is missing", "wants --host", "'id' has no digits"] {
            #expect(Self.isForPeople(text), "\(text)")
        }
        for text in [
            "openid", "application/json", "SELECT uid FROM account where uid = ?", "read:user user:email",
            "Bearer \\(…)",
            "access_token", "--",
        ] {
            #expect(!Self.isForPeople(text), "\(text)")
        }
    }

    @Test func `the core contains no sentence or option, except where a reason is given`() throws {
        var unused = Set(Self.exceptions.keys)
        for file in try Architecture().files.values where file.target == "AuthCore" {
            let path = file.path.dropFirst("AuthCore/".count)
            let sentences = file.literals.filter { Self.isForPeople($0.words) }
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
        "by itself|by themselves|renews itself": "automatically",
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

    private static func check(_ text: some StringProtocol, _ place: String) throws {
        for (words, term) in terms {
            let found = try Regex("(?i)\\b(?:\(words))\\b").firstMatch(in: String(text)).map { String(text[$0.range]) }
            #expect(found == nil, "\(place): '\(found ?? "")': write \(term): \(text)")
        }
    }

    @Test func `in help, messages and prompts`() throws {
        for file in try Architecture().files.values where file.target == "AuthCore" || file.target.hasPrefix("authctl") {
            for literal in file.literals { try Self.check(literal.words, "\(file.path):\(literal.line)") }
        }
    }

    @Test func `in the manual`() throws {
        for (path, text) in try Repository.files("man", suffix: ".1") {
            for line in text.split(separator: "\n") { try Self.check(line, path) }
        }
    }

    @Test func `in documents`() throws {
        var documents = try Repository.files("docs", suffix: ".md")
        for name in ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] {
            documents[name] = try Repository.text(name)
        }
        for (path, text) in documents {
            var isCode = false
            for line in text.split(separator: "\n") {
                if line.hasPrefix("```") { isCode.toggle() }
                if !isCode { try Self.check(line.replacing(/`[^`]*`/, with: ""), path) }
            }
        }
    }
}

import Testing

/// The core speaks in cases; what people read is worded by the program that shows it.
@Suite struct `Wording` {
    /// Where sentences stand in the core all the same, and why.
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

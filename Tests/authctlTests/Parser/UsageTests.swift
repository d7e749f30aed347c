import ArgumentParser
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Usage errors` {
    private func failure(_ arguments: String...) throws -> Failure {
        do {
            _ = try Authctl.parseAsRoot(arguments)
        } catch {
            return Usage.failure(error, arguments)
        }
        throw CommandError(.usage, "accepted")
    }

    @Test(arguments: [
        ("tokne", "'token'"), ("sigin", "'signin'"), ("provider", "'providers'"), ("switch", "'accounts switch'"),
        ("version", "'--version'"), ("logni", "'login'"),
        ("list", "'providers list' or 'profile list'"), ("install", "'use'"),
    ])
    func `the message for an unknown command suggests similar commands`(_ word: String, _ suggestion: String) throws {
        let message = try failure(word).message
        #expect(message == "'\(word)' is not a command: did you mean \(suggestion)?")
    }

    @Test func `the last word of a command of a group is suggested with its group`() {
        let root = CommandPlace(of: [])
        for place in CommandPlace.all where place.path.count == 2 && CommandPlace(of: [place.path[1]]).unknown != nil {
            let command = place.path.joined(separator: " ")
            guard FormerCommands.paths.isDisjoint(with: [command, place.path[0]]),
                CommandPlace.commandsOfOtherTools[place.path[1]] == nil
            else { continue }
            #expect(root.suggestions(for: place.path[1]).contains(command), "\(command)")
        }
    }

    @Test func `only a value after -h of a command is refused`() {
        for line in [
            ["token", "-h"], ["token", "-h", "-q"], ["providers", "-h", "add"], ["exec", "--", "du", "-h", "x"],
        ] {
            #expect(Usage.valueOfHelp(line) == nil)
        }
    }

    @Test func `a negative value is invalid, not missing`() throws {
        #expect(
            try failure("token", "--timeout", "-1").message
                == "The value '-1' is invalid for '--timeout <time>': a time must be like 90, 5m or 1h")
        #expect(try failure("token", "--timeout").message.hasPrefix("Missing value for '--timeout <time>'"))
    }

    @Test func `the case of a value makes no difference for its correction`() {
        #expect(Spelling.suggestions(for: "get", among: ["GET", "PUT"]) == ["GET"])
        #expect(Spelling.suggestions(for: "GitHub", among: ["github", "gitlab"]) == ["github"])
    }

    @Test func `an unknown option gets a suggestion only if a similar option exists`() throws {
        #expect(try failure("signin", "--provder", "x").message.hasSuffix(": did you mean '--provider'?"))
        for (command, option) in [("token", "--web"), ("signin", "--remote"), ("whoami", "--provider")] {
            #expect(try failure(command, option).message == "Unknown option '\(option)'")
        }
    }

    @Test(arguments: [
        ("signin --provider github.com --scopes openid", "'--scopes': did you mean '--scope'?"),
        ("unlink --provider github.com --foo bar", "'--foo'"), ("unlink --nope", "'--nope'"),
        ("serve --alow provider=oidc.a", "'--alow': did you mean '--allow'?"),
    ])
    func `an unknown option is reported before the errors that it causes`(_ line: String, _ end: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(
            Usage.failure(ValidationError("the provider is given twice"), arguments).message == "Unknown option \(end)")
    }

    @Test(arguments: [
        ("--profile work status", "status --profile work"),
        ("--profile=work providers list --json", "providers list --profile=work --json"),
        ("providers -q --profile work list", "providers list -q --profile work"),
        ("-q --json token --provider a", "token -q --json --provider a"), ("--bad status", "--bad status"),
        ("--profile work accounts delete eve@example.com", "accounts delete --profile work eve@example.com"),
        ("--profile work exec -- env", "exec --profile work -- env"), ("exec -q -- env -v", "exec -q -- env -v"),
        ("-q request https://api.example.com/", "request -q https://api.example.com/"),
        ("--profile work", "--profile work"), ("--json nonsense", "nonsense --json"), ("-V", "--version"),
        ("-v -h", "-v -h"), ("--json help signin", "help signin --json"), ("token -V", "token -V"), ("", ""),
    ])
    func `common options may be written before the command`(line: String, ordered: String) {
        #expect(
            CommandPlace.commandFirst(line.split(separator: " ").map(String.init)).joined(separator: " ") == ordered)
    }

    @Test(arguments: ["signin", "link", "reauth", "unlink"])
    func `the provider may be written without --provider, but not twice`(command: String) throws {
        for words in [["github"], ["--provider", "github"]] {
            let parsed = try Authctl.parseAsRoot([command] + words) as? any Command
            #expect(parsed?.errorContext.provider == "github.com")
        }
        let error = #expect(throws: (any Error).self) {
            try Authctl.parseAsRoot([command, "github.com", "--provider", "google.com"])
        }
        #expect(error.map { Authctl.message(for: $0) } == "the provider is given twice, with and without --provider")
    }

    @Test func `every global option is accepted after a command`() throws {
        for (option, hasValue) in Usage.everyCommands {
            let value = option == "--timeout" || option == "--passphrase-fd" ? "5" : "x"
            _ = try Authctl.parseAsRoot(["whoami", option] + (hasValue ? [value] : []))
        }
    }

    @Test func `the message for an unknown request method lists the supported methods`() throws {
        #expect(
            try failure("request", "-X", "FOO", "https://a.example").message.hasSuffix(
                ": GET, HEAD, POST, PUT, PATCH, DELETE"))
    }

    @Test func `the message for a mistyped provider ID suggests the closest provider`() {
        let task = ErrorContext("failed")
        for (typed, closest) in [("github", "github.com"), ("gihub.com", "github.com"), ("gogle.com", "google.com")] {
            let message = Failure(ProviderError.unknownID(typed), while: task).message
            #expect(message.hasSuffix("did you mean '\(closest)'?"))
        }
        #expect(!Failure(ProviderError.unknownID("zzz"), while: task).message.contains("did you mean"))
    }
}

@Suite struct `Edit distance` {
    @Test(arguments: [
        ("token", "token", 0), ("tokne", "token", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `the edit distance counts insertions, deletions, replacements and swaps`(
        _ first: String, _ second: String, _ count: Int
    ) {
        #expect(TypingMistake.mistakes(first, second) == count)
        #expect(TypingMistake.mistakes(second, first) == count)
    }
}

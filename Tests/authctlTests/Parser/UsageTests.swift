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
        (["token", "--bad"], "authctl token --help"), (["exec"], "authctl exec --help"),
        (["profile", "unlock", "x"], "authctl profile unlock --help"), (["login", "--bad"], "authctl signin --help"),
        (["accounts", "bogus"], "authctl accounts --help"), (["bogus"], "authctl --help"),
    ])
    func `a usage error suggests the help of its command`(_ arguments: [String], _ help: String) throws {
        do {
            _ = try Authctl.parseAsRoot(arguments)
            Issue.record("accepted")
        } catch {
            let failure = Usage.failure(error, arguments)
            #expect(failure.hint?.text == help)
        }
    }

    @Test func `a usage error found by a command itself also suggests its help`() {
        var task = ErrorContext("not set up")
        task.command = CommandPlace.path(of: CredentialInstallCommand.self)
        #expect(Failure(CommandError(.usage, "x"), while: task).hint == .run("authctl credential install --help"))
        #expect(CommandPlace.path(of: ProvidersAddCommand.self) == ["providers", "add"])
    }

    @Test(arguments: [
        ("tokne", "'token'"), ("sigin", "'signin'"), ("provider", "'providers'"), ("switch", "'accounts switch'"),
        ("version", "'--version'"), ("logni", "'login'"),
        ("list", "'credential list', 'accounts list', 'pending list', 'providers list' or 'profile list'"),
    ])
    func `the message for an unknown command suggests similar commands`(_ word: String, _ suggestion: String) throws {
        let message = try failure(word).message
        #expect(message == "'\(word)' is not a command: did you mean \(suggestion)?")
    }

    @Test(arguments: [
        ("accounts rm ada", "accounts delete ada"), ("accounts ls", "accounts list"),
        ("providers delete oidc.a", "providers remove oidc.a"), ("providers edit oidc.a", "providers set --help"),
        ("profile create work", "profile use --create work"), ("profile delete work", "profile remove work"),
    ])
    func `the hint for another tool's word is this tool's command`(_ line: String, _ command: String) throws {
        let words = line.split(separator: " ").map(String.init)
        #expect(
            Usage.failure(ValidationError(""), words).hint
                == .run(ShellCommand(words: ["authctl"] + command.split(separator: " ").map(String.init))))
    }

    @Test func `the last word of a command of a group is suggested with its group`() {
        let root = CommandPlace(of: [])
        for place in CommandPlace.all where place.path.count == 2 && CommandPlace(of: [place.path[1]]).unknown != nil {
            let command = place.path.joined(separator: " ")
            #expect(root.suggestions(for: place.path[1]).contains(command), "\(command)")
        }
    }

    @Test func `the host of another tool's command becomes the provider`() {
        let failure = Usage.failure(ValidationError(""), ["auth", "token", "-h", "github.com"])
        #expect(failure.hint == .run("authctl token --provider github.com"))
    }

    @Test func `a value after -h is refused, because other tools pass a host with it`() {
        #expect(Usage.valueOfHelp(["token", "-h", "github.com"])?.hint == .run("authctl token --provider github.com"))
        #expect(Usage.valueOfHelp(["request", "-h", "https://a.example"])?.hint == .run("authctl request --help"))
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

    @Test func `an option of a command before it is moved`() throws {
        let failure = try failure("--provider", "oidc.a", "token")
        #expect(failure.message == "'--provider' belongs after the command")
        #expect(failure.hint == .run("authctl token --provider oidc.a"))
    }

    @Test(arguments: [
        ("exec make -j", "exec -- make -j"),
        ("exec --provider oidc.a --renew make", "exec --provider oidc.a --renew -- make"),
    ])
    func `the hint for exec without two dashes adds them before the command`(_ line: String, _ command: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let failure = Usage.failure(ValidationError("Missing expected argument '-- <command> ...'"), words)
        #expect(failure.message == "the command that exec runs must follow --")
        #expect(failure.hint?.text == "authctl \(command)")
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

    @Test(arguments: [["--client-secret", "hush"], ["--client-secret=hush"]])
    func `the error for a secret in an argument gives the reason and the alternative`(_ secret: [String]) throws {
        let arguments = ["providers", "add", "oidc.a"] + secret
        let failure = Usage.failure(ValidationError(""), arguments)
        #expect(failure.message.contains("visible to all users of this machine"))
        #expect(failure.hint?.text.contains("--client-secret-stdin") == true)
        #expect(!failure.lines.joined().contains("hush"))
    }

    private func hint(_ line: String) throws -> String? {
        let arguments = line.split(separator: " ").map(String.init)
        do {
            _ = try Authctl.parseAsRoot(arguments)
            throw CommandError(.usage, "accepted")
        } catch let error where !(error is CommandError) {
            return Usage.failure(error, arguments).hint?.text
        }
    }

    @Test(arguments: [
        ("signout github.com", "authctl signout --provider github.com"),
        ("token oidc.work --header", "authctl token --provider oidc.work --header"),
        ("token --type id google", "authctl token --type id --provider google"),
        ("token https://mcp.example.com/mcp", "authctl token --resource https://mcp.example.com/mcp"),
        // Here, the command has no --provider, or the word is not a provider.
        ("whoami github.com", "authctl whoami --help"), ("token hello", "authctl token --help"),
        ("signin github.com --provider google.com", "authctl signin --help"),
    ])
    func `the hint for a provider ID without an option adds --provider`(line: String, hint: String) throws {
        let hinted = try self.hint(line)
        #expect(hinted == hint || hint.hasSuffix("--help") && hinted?.hasSuffix("--help") == true)
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

    @Test(arguments: [
        ("auth login", "authctl signin"), ("auth", "authctl signin"), ("auth status --json", "authctl status --json"),
        ("auth token", "authctl token"), ("auth switch ada", "authctl accounts switch ada"),
        ("auth login --hostname github.com", "authctl signin --provider github.com"),
        ("auth login --hostname x", "authctl signin"),
        ("auth login --hostname ghe.example.com", "authctl signin"),
        ("api user", "authctl request https://api.github.com/user"),
        ("api /repos/a/b --json", "authctl request https://api.github.com/repos/a/b --json"),
        ("api https://ghe.example.com/api/v3/user", "authctl request https://ghe.example.com/api/v3/user"),
        ("auth setup-git", "authctl credential install git"),
        ("refresh --provider github.com", "authctl token --force-refresh --provider github.com"),
        ("config", "authctl profile --help"), ("sigin github.com", "authctl signin github.com"),
        ("version", "authctl --version"), ("providers lst", "authctl providers list"),
        ("auth github.com", "authctl signin github.com"),
        ("auth --provider oidc.a", "authctl signin --provider oidc.a"),
        ("auth refresh -s repo", "authctl signin --provider github.com --scope repo"),
        ("auth refresh --scopes repo,gist", "authctl signin --provider github.com --scope repo,gist"),
        ("auth print-access-token", "authctl token"), ("auth print-identity-token", "authctl token --type id"),
        ("auth list", "authctl accounts list"), ("auth revoke", "authctl signout --revoke"),
        ("auth configure-docker", "authctl credential install docker"), ("auth frobnicate", "authctl --help"),
        ("get-token --oidc-issuer-url=https://id.example.com", "authctl credential kubectl"),
        ("oidc-token work", "authctl token --provider oidc.work"), ("oidc-add work", "authctl profile unlock"),
        ("oidc-token oidc.work", "authctl token --provider oidc.work"), ("oidc-gen work", "authctl setup oidc.work"),
        ("oidc-token --time=600 work", "authctl token --help"),
        ("mcp-remote https://mcp.example.com/mcp", "authctl signin --resource https://mcp.example.com/mcp"),
        ("mcp-remote", "authctl signin --help"), ("unlock", "authctl profile unlock"),
        ("rename a b", "authctl profile rename a b"), ("discard", "authctl pending discard"),
        ("auth revoke ada@example.com", "authctl signout --help"),
    ])
    func `the hint for an unknown command is the corrected command line`(line: String, hint: String) throws {
        #expect(try self.hint(line) == hint)
    }

    @Test(arguments: [
        ("token --shell fish", "authctl token --help"), ("unlink", "authctl unlink --help"),
        ("signin google.com --scope", "authctl signin --help"),
        ("signin --provder google.com", "authctl signin --provider google.com"),
        ("providers add", "to be asked for each value: authctl setup"),
        ("request -d a.json https://a.example", "authctl request --data a.json https://a.example"),
    ])
    func `the hint for a misspelled option is the command line with it, and otherwise the help`(
        line: String, hint: String
    ) throws {
        #expect(try self.hint(line) == hint)
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

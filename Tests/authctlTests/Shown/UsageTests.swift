import ArgumentParser
import Testing

@testable import AuthCore
@testable import authctl

@Suite struct `Wrong use` {
    private func failure(_ arguments: String...) throws -> Failure {
        do {
            _ = try Authctl.parseAsRoot(arguments)
        } catch {
            return Usage.failure(Authctl.message(for: error), arguments)
        }
        throw CommandError(.usage, "it was right")
    }

    @Test(arguments: [
        (["token", "--bad"], "authctl token --help"), (["providers", "add"], "authctl providers add --help"),
        (["providers", "add", "oidc.a"], "authctl providers add --help"),
        (["profile", "unlock", "x"], "authctl profile unlock --help"), (["login", "--bad"], "authctl signin --help"),
        (["accounts", "bogus"], "authctl accounts --help"), (["bogus"], "authctl --help"),
    ])
    func `names the help of the command that it was of`(_ arguments: [String], _ help: String) throws {
        do {
            _ = try Authctl.parseAsRoot(arguments)
            Issue.record("it was right")
        } catch {
            let failure = Usage.failure(Authctl.message(for: error), arguments)
            #expect(failure.hint?.text == help)
        }
    }

    @Test func `that a command sees by itself names its help too`() {
        var task = ErrorContext("not set up", again: "authctl credential install --help")
        task.command = CommandPlace.path(of: CredentialCommand.Install.self)
        #expect(Failure(CommandError(.usage, "x"), while: task).hint == .run("authctl credential install --help"))
        #expect(CommandPlace.path(of: ProvidersAddCommand.self) == ["providers", "add"])
    }

    @Test(arguments: [
        ("tokne", "'token'"), ("sigin", "'signin'"), ("provider", "'providers'"), ("switch", "'accounts switch'"),
        ("version", "'--version'"), ("logni", "'login'"),
        ("list", "'accounts list', 'pending list', 'providers list' or 'profile list'"),
    ])
    func `of a command that is none says what was meant`(_ word: String, _ meant: String) throws {
        let message = try failure(word).message
        #expect(message == "'\(word)' is not a command: did you mean \(meant)?")
    }

    @Test func `of an option gets a suggestion that is near, or none`() throws {
        #expect(try failure("signin", "--provder", "x").message.hasSuffix(": did you mean '--provider'?"))
        for (command, option) in [("token", "--web"), ("signin", "--remote"), ("whoami", "--provider")] {
            #expect(try failure(command, option).message == "Unknown option '\(option)'")
        }
    }

    @Test(arguments: [["--client-secret", "hush"], ["--client-secret=hush"]])
    func `with a secret in an argument says why not, and what to use`(_ secret: [String]) throws {
        let arguments = ["providers", "add", "oidc.a"] + secret
        let failure = Usage.failure("", arguments)
        #expect(failure.message.contains("visible to all users of this machine"))
        #expect(failure.hint?.text.contains("--client-secret-stdin") == true)
        #expect(!failure.lines.joined().contains("hush"))
    }

    private func hint(_ line: String) throws -> String? {
        let arguments = line.split(separator: " ").map(String.init)
        do {
            _ = try Authctl.parseAsRoot(arguments)
            throw CommandError(.usage, "it was right")
        } catch let error where !(error is CommandError) {
            return Usage.failure(Authctl.message(for: error), arguments).hint?.text
        }
    }

    @Test(arguments: [
        ("signin github.com", "authctl signin --provider github.com"),
        ("login github --no-browser", "authctl login --provider github --no-browser"),
        ("token oidc.work --header", "authctl token --provider oidc.work --header"),
        ("signin --scope read google", "authctl signin --scope read --provider google"),
        // Nothing that it would be a provider of, and no provider.
        ("whoami github.com", "authctl whoami --help"), ("signin hello", "authctl signin --help"),
        ("signin github.com --provider google.com", "authctl signin --help"),
    ])
    func `of a provider that stands alone names the line with --provider`(line: String, hint: String) throws {
        let hinted = try self.hint(line)
        #expect(hinted == hint || hint.hasSuffix("--help") && hinted?.hasSuffix("--help") == true)
    }

    @Test(arguments: [
        ("--profile work status", "authctl status --profile work"),
        ("--profile=work providers list --json", "authctl providers list --profile=work --json"),
        ("-q --json token --provider a", "authctl token -q --json --provider a"), ("--bad status", "authctl --help"),
        ("--profile work signout --provider a", "authctl signout --profile work --provider a"),
        ("--profile work accounts delete eve@example.com", "authctl accounts delete --profile work eve@example.com"),
        ("--profile work exec -- env", "authctl exec --profile work -- env"),
        ("-q request https://api.example.com/", "authctl request -q https://api.example.com/"),
        ("-q request", "authctl --help"),
        ("--profile work", "authctl --help"), ("--json nonsense", "authctl --help"),
    ])
    func `of what every command takes, before the command, names the line with it behind`(line: String, hint: String)
        throws
    {
        #expect(try self.hint(line) == hint)
    }

    @Test func `of an option before the command says where it belongs`() throws {
        #expect(try failure("--profile", "work", "status").message == "'--profile' must come after the command")
    }

    @Test(arguments: [
        ("token --shell fish", "add --env"), ("token --audience a", "add --exchange <id>"),
        ("unlink", "add --provider <id>"), ("signin --nonce a", "add --id-token <file|->"),
    ])
    func `without a required option names that option`(line: String, hint: String) throws {
        #expect(try self.hint(line) == hint)
        let missing = Failure(
            CommandError(.usage, "'oidc.a' requires --issuer"), while: CommandPlace(of: ["providers", "add"]).context)
        #expect(missing.hint?.text == "add --issuer <url>")
    }

    @Test func `knows what every command takes`() throws {
        for (option, hasValue) in Usage.everyCommands {
            let value = option == "--timeout" || option == "--passphrase-fd" ? "5" : "x"
            _ = try Authctl.parseAsRoot(["whoami", option] + (hasValue ? [value] : []))
        }
    }

    @Test func `of a method lists those that there are`() throws {
        #expect(
            try failure("request", "-X", "FOO", "https://a.example").message.hasSuffix(
                ": GET, HEAD, POST, PUT, PATCH, DELETE"))
    }

    @Test func `a provider that is mistyped is named with the one that was meant`() {
        let task = ErrorContext("failed", again: "authctl signin")
        for (typed, meant) in [("github", "github.com"), ("gihub.com", "github.com"), ("gogle.com", "google.com")] {
            let message = Failure(ProviderError.unknownID(typed), while: task).message
            #expect(message.hasSuffix("did you mean '\(meant)'?"))
        }
        #expect(!Failure(ProviderError.unknownID("zzz"), while: task).message.contains("did you mean"))
    }
}

@Suite struct `The distance of two words` {
    @Test(arguments: [
        ("token", "token", 0), ("tokne", "token", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ])
    func `counts what was changed`(_ first: String, _ second: String, _ count: Int) {
        #expect(TypingMistake.mistakes(first, second) == count)
        #expect(TypingMistake.mistakes(second, first) == count)
    }
}

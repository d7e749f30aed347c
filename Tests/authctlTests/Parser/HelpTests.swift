import ArgumentParser
import Testing

@testable import authctl

/// A request for help is recognized without the parser, which only describes the options.
@Suite struct `Requests for help` {
    @Test func `a group of commands has no options`() throws {
        for place in [CommandPlace(of: [])] + CommandPlace.all {
            guard !place.command.configuration.subcommands.isEmpty else { continue }
            let common = Set(DescribedArgument.common.flatMap(\.names))
            let own = DescribedArgument.all(of: place.command).filter { common.isDisjoint(with: $0.names) }
            #expect(own == DescribedArgument.shown(of: place.command), "\(place.path)")
        }
    }

    @Test(
        arguments: [
            ([], []), (["--help"], []), (["-h"], []), (["help"], []), (["accounts"], ["accounts"]),
            (["token", "--help"], ["token"]), (["login", "-h"], ["signin"]), (["help", "token"], ["token"]),
            (["accounts", "list", "--help"], ["accounts", "list"]),
            (["help", "accounts", "list"], ["accounts", "list"]), (["signin", "--help-all"], ["signin"]),
            (["--help-all", "login", "x", "--json"], ["signin"]), (["--help-all"], []),
            (["help", "all"], []), (["setup", "--help"], ["setup"]), (["credential", "--help"], ["credential"]),
        ] as [([String], [String])])
    func `help is printed if only help is requested`(arguments: [String], path: [String]) throws {
        #expect(try #require(Help(requestedBy: arguments)).path == path)
    }

    @Test(arguments: CommandPlace.all.filter { $0.command is any Command.Type })
    func `the texts of options fit on a narrow terminal`(place: CommandPlace) {
        let help = Help(place, columns: 40, extent: .all).text
        for line in help.split(separator: "\n") where line.hasPrefix("    ") && line.dropFirst(4).contains(" ") {
            #expect(line.count <= 40, "\(line)")
        }
    }

    @Test(arguments: ["accounts", "agents", "ci", "firebase", "providers", "scripts"])
    func `a topic is a screen of at most 24 lines, and of 40 columns on a narrow terminal`(topic: String) throws {
        let help = try #require(Help(requestedBy: ["help", topic]))
        #expect(help.extent == .topic(topic))
        let lines = Help(CommandPlace(), columns: 80, extent: help.extent).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
        for line in Help(CommandPlace(), columns: 40, extent: help.extent).text.split(separator: "\n")
        where !line.contains("authctl ") && !line.hasPrefix("  ") {
            #expect(line.count <= 40, "\(line)")
        }
    }

    /// Options that the screens name before the commands have them.
    private static let planned = ["--separate"]

    @Test func `the screens name only options and commands that exist`() throws {
        let known = Set(CommandPlace.all.flatMap(\.optionNames)).union(Self.planned)
        let topics = ["accounts", "agents", "ci", "firebase", "providers", "scripts"].map { Help.Extent.topic($0) }
        let screens = topics.map { Help(CommandPlace(), columns: 80, extent: $0).text }
        for text in screens + [[], ["signin"]].map({ Help(CommandPlace(of: $0), columns: 80).text }) {
            for option in text.matches(of: /\s(--[a-z-]+)/) { #expect(known.contains(String(option.1)), "\(option.1)") }
            for command in text.matches(of: /(?:: +|^  |&& +)authctl ([a-z]+)/.anchorsMatchLineEndings()) {
                #expect(command.1 == "help" || CommandPlace(of: [String(command.1)]).unknown == nil, "\(command.1)")
            }
        }
    }

    @Test func `the help and the completions show no former command`() {
        let shown = CommandPlace.all.filter { !FormerCommands.paths.contains($0.path.joined(separator: " ")) }
        for path in FormerCommands.paths {
            #expect(CommandPlace.all.contains { $0.path.joined(separator: " ") == path }, "\(path)")
        }
        for place in [CommandPlace()] + shown where !place.command.configuration.subcommands.isEmpty {
            let text = Help(place, columns: 80, extent: .all).text
            for path in FormerCommands.paths.map({ $0.split(separator: " ").map(String.init) })
            where Array(path.dropLast()) == place.path {
                #expect(!text.contains("\n  \(path[path.count - 1]) "), "\(path)")
            }
        }
        for shell in [CompletionShell.bash, .zsh, .fish] {
            let script = CompletionScript<Authctl>.text(for: shell)
            for name in ["setup", "whoami", "providers_discover", "providers discover"] {
                let isCompleted = ["authctl_", "authctl "].contains { script.contains($0 + name) }
                #expect(!isCompleted, "\(shell.rawValue) \(name)")
            }
        }
    }

    @Test(arguments: [
        (["help", "signin", "ci"], "CI job"), (["help", "login", "TOKENS"], "Existing tokens"),
        (["help", "providers", "add", "client"], "Client"), (["help", "token", "global"], "Global options"),
    ])
    func `a group of options has help by each word of its title`(arguments: [String], title: String) throws {
        #expect(try #require(Help(requestedBy: arguments)).extent == .group(title))
    }

    @Test(
        arguments: [
            ["help", "signin", "x"], ["help", "accounts", "ci"], ["exec", "--", "--help-all"], ["tokn", "--help-all"],
            ["token"], ["token", "--json", "--help"], ["--help", "token"], ["help", "--help"], ["help", "tokn"],
            ["tokn", "--help"], ["exec", "--", "--help"], ["exec", "make", "--help"], ["token", "--provider", "-h"],
            ["--version"], ["accounts", "x"], ["---completion"],
        ] as [[String]])
    func `arguments for other things than help are left to the argument parser`(arguments: [String]) {
        #expect(Help(requestedBy: arguments) == nil)
    }
}

@Suite struct `Commands parsed without the root command` {
    @Test(arguments: [
        ["token", "--min-ttl", "5m", "--json"], ["accounts", "list", "--field", "accounts.0.uid"],
        ["exec", "-q", "--", "make", "--help"], ["login", "--provider", "github"], ["status"],
        ["request", "https://api.example.com/", "-X", "POST"],
    ])
    func `a command that is parsed by itself equals the one that the root command parses`(arguments: [String]) throws {
        let command = try #require(EntryPoint.named(in: arguments))
        #expect(String(reflecting: command) == String(reflecting: try Authctl.parseAsRoot(arguments)))
    }

    @Test(
        arguments: [
            [], ["token", "--help"], ["token", "--version"], ["--json", "token"], ["tokn"], ["accounts"],
            ["token", "--no-such"], ["whoami", "x"], ["accounts", "lst"], ["token", "--generate-completion-script"],
            ["token", "--experimental-dump-help"], ["help", "token"], ["token", "--timeout", "0"],
        ] as [[String]])
    func `arguments that need the root command are left to it`(arguments: [String]) {
        #expect(EntryPoint.named(in: arguments) == nil)
    }
}

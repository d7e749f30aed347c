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
        ] as [([String], [String])])
    func `help is printed if only help is requested`(arguments: [String], path: [String]) throws {
        #expect(try #require(Help(requestedBy: arguments)).path == path)
    }

    @Test(arguments: CommandPlace.all.filter { $0.command is any Command.Type })
    func `the texts of options fit on a narrow terminal`(place: CommandPlace) {
        let help = Help(place, columns: 40, extent: .all).text
        for line in help.split(separator: "\n") where line.hasPrefix("      ") && line.dropFirst(6).contains(" ") {
            #expect(line.count <= 40, "\(line)")
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

import ArgumentParser
import Testing

@testable import authctl

/// The help is printed without the parser, from what was written when an option last changed.
@Suite struct `The help without the parser` {
    @Test func `knows the arguments of each command as the parser has them: make help`() {
        let common = DescribedArgument.all(of: GlobalOptions.self)
        #expect(DescribedArgument.common == common)
        let names = Set(common.flatMap(\.names))
        for place in [CommandPlace(of: [])] + CommandPlace.all {
            let arguments = DescribedArgument.all(of: place.command).filter(\.isShown)
            let own = arguments.filter { !$0.names.contains(where: names.contains) }
            #expect(DescribedArgument.shown(of: place.path) == own, "\(place.path)")
        }
    }

    @Test(
        arguments: [
            ([], []), (["--help"], []), (["-h"], []), (["help"], []), (["accounts"], ["accounts"]),
            (["token", "--help"], ["token"]), (["login", "-h"], ["signin"]), (["help", "token"], ["token"]),
            (["accounts", "list", "--help"], ["accounts", "list"]),
            (["help", "accounts", "list"], ["accounts", "list"]),
        ] as [([String], [String])])
    func `is printed at once where the arguments ask for nothing else`(arguments: [String], path: [String]) throws {
        #expect(try #require(Help(askedBy: arguments)).path == path)
    }

    @Test(
        arguments: [
            ["token"], ["token", "--json", "--help"], ["--help", "token"], ["help", "--help"], ["help", "tokn"],
            ["tokn", "--help"], ["exec", "--", "--help"], ["exec", "make", "--help"], ["token", "--provider", "-h"],
            ["--version"], ["accounts", "x"], ["---completion"],
        ] as [[String]])
    func `leaves everything else to the parser`(arguments: [String]) {
        #expect(Help(askedBy: arguments) == nil)
    }
}

@Suite struct `A command that is parsed alone` {
    @Test(arguments: [
        ["token", "--min-ttl", "5m", "--json"], ["accounts", "list", "--field", "accounts.0.uid"],
        ["exec", "-q", "--", "make", "--help"], ["login", "--provider", "github"], ["status"],
        ["request", "https://api.example.com/", "-X", "POST"],
    ])
    func `is what the whole program would have parsed`(arguments: [String]) throws {
        let alone = try #require(EntryPoint.named(in: arguments))
        #expect(String(reflecting: alone) == String(reflecting: try Authctl.parseAsRoot(arguments)))
    }

    @Test(
        arguments: [
            [], ["token", "--help"], ["token", "--version"], ["--json", "token"], ["tokn"], ["accounts"],
            ["token", "--no-such"], ["token", "x"], ["accounts", "lst"], ["token", "--generate-completion-script"],
            ["token", "--experimental-dump-help"], ["help", "token"], ["token", "--timeout", "0"],
        ] as [[String]])
    func `is left to the whole program in all other cases`(arguments: [String]) {
        #expect(EntryPoint.named(in: arguments) == nil)
    }
}

import ArgumentParser
import AuthCore
import Foundation
import Testing

@testable import authctl

@Suite struct `Examples in help and manual` {
    private var commands: [(path: [String], examples: Examples)] {
        [([], Authctl.examples)]
            + CommandPlace.all.map { ($0.path, ($0.command as? any HasExamples.Type)?.examples ?? [:]) }
    }

    /// The arguments that a real shell passes to `authctl` in each example.
    private func words(_ examples: [Examples.Element]) async throws -> [[[String]]] {
        let home = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: home.appending(path: ".config/fish/completions"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let log = home.appending(path: "log")
        let script = """
            cd "$HOME" || exit
            : >tokens.txt
            authctl() { printf '%s\\0' "$#" "$@" >>'\(log.path)'; }
            \(examples.map { "printf '%s\\0' - >>'\(log.path)'\n\($0.value)\nwait" }.joined(separator: "\n"))
            exit 0
            """
        let file = home.appending(path: "script")
        try Data(script.utf8).write(to: file)
        let environment: Environment = ["PATH": "/nonexistent", "HOME": home.path]
        #expect(try await Program(command: ["/bin/bash", file.path], environment: environment).run().isSuccess)
        var rest = try Data(contentsOf: log).split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }[...]
        var all: [[[String]]] = []
        while rest.count > 1, let head = rest.popFirst() {
            guard let count = Int(head) else {
                all.append([])
                continue
            }
            all[all.count - 1].append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return all
    }

    @Test func `every command has at least two examples with a sentence each`() {
        for (path, examples) in commands {
            let isFormer = path.first.map(FormerCommands.paths.contains) == true
            #expect(examples.count > (isFormer ? 0 : 1), "authctl \(path.joined(separator: " "))")
            for example in examples {
                let isSentence = example.key.first?.isUppercase == true && example.key.hasSuffix(".")
                #expect(isSentence, "\(example.key)")
                let isOwn = example.value.contains((["authctl"] + path.prefix(1)).joined(separator: " "))
                #expect(isOwn, "\(example.value)")
            }
        }
    }

    @Test func `every example is accepted by the parser after a shell has split it`() async throws {
        let examples = commands.flatMap(\.examples)
        let words = try await words(examples)
        try #require(words.count == examples.count && examples.count > 80)
        for (example, calls) in zip(examples, words) {
            #expect(!calls.isEmpty, "authctl is not run: \(example.value)")
            for call in calls {
                do { _ = try Authctl.parseAsRoot(call) } catch {
                    #expect(
                        Authctl.exitCode(for: error).isSuccess, "\(example.value): \(Authctl.message(for: error))")
                }
            }
        }
    }
}

@Suite struct `Help texts` {
    private func help(_ path: String...) -> [String] {
        let place = CommandPlace(of: path)
        return Help(place, extent: .all).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    private func titles(_ lines: [String]) -> [String] {
        lines.filter { $0.wholeMatch(of: /\w.*:/) != nil }.map { String($0.dropLast()) }
    }

    @Test func `the program's help groups the commands and lists the global options after them`() {
        let lines = help()
        #expect(
            titles(lines) == [
                "Sign in", "Tokens", "Accounts", "Set up", "Troubleshooting", "Global options", "Examples",
            ])
        for command in Authctl.configuration.subcommands where !FormerCommands.paths.contains(command._commandName) {
            #expect(lines.contains { $0.hasPrefix("  \(command._commandName)") }, "\(command._commandName)")
        }
    }

    @Test func `all help of a command lists its own options, then the global options, then the examples`() {
        #expect(
            titles(help("token")) == ["Arguments", "Options", "Exchange", "GitHub App", "Global options", "Examples"])
        #expect(
            titles(help("signin")) == [
                "Arguments", "Options", "Authorization request", "Existing tokens", "Two-step sign-in for programs",
                "Protected resource", "Password", "CI job", "Firebase project", "Pending credential",
                "Global options", "Examples",
            ])
        #expect(titles(help("accounts")) == ["Commands", "Examples"])
    }

    @Test func `all help of a command shows each of its options once, and no hidden options`() {
        for place in CommandPlace.all where place.command.configuration.subcommands.isEmpty {
            let lines = help(place.path)
            for argument in DescribedArgument.all(of: place.command) where !argument.names.isEmpty {
                let shown = lines.filter { $0 == "  \(argument.label)" || $0.hasPrefix("  \(argument.label) ") }
                #expect(shown.count == (argument.isShown ? 1 : 0), "\(place.path) \(argument.label)")
            }
        }
    }

    private func help(_ path: [String], _ extent: Help.Extent = .all) -> [String] {
        let place = CommandPlace(of: path)
        return Help(place, extent: extent).text
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `the help of each command has at most 40 lines`() {
        for place in CommandPlace.all {
            let count = help(place.path, .most).count
            #expect(count <= 40, "\(place.path): \(count)")
        }
    }

    @Test func `a long help shows the options that most users need, and the groups of all others`() {
        let lines = help(["link"], .most)
        #expect(titles(lines) == ["Arguments", "Options", "More options (authctl help link GROUP)", "Examples"])
        #expect(lines.contains { $0.hasPrefix("  --flow ") } && lines.contains { $0.hasPrefix("  --scope ") })
        #expect(lines.contains("  authorization, existing, firebase, options, two-step, global"))
        #expect(lines.contains("All options: authctl link --help-all     Manual: man authctl-link"))
        #expect(help(["signin"], .most).count <= 30)
        for place in CommandPlace.all where place.command.configuration.subcommands.isEmpty {
            let most = (place.command as? any authctl.Command.Type)?.mostUsed ?? []
            let names = DescribedArgument.shown(of: place.command).flatMap(\.names)
            #expect(names.isEmpty || most.allSatisfy(names.contains), "\(place.path)")
        }
    }

    @Test func `each option is in the help of a group, and the names of groups are unique`() {
        for place in CommandPlace.all where place.command.configuration.subcommands.isEmpty {
            let groups = Help(place).groups
            #expect(Set(groups.map { Help.names($0)[0] }).count == groups.count, "\(place.path): \(groups)")
            let lines = groups.flatMap { help(place.path, .group($0)) }
            for option in DescribedArgument.shown(of: place.command) + DescribedArgument.common
            where !option.names.isEmpty {
                let shown = lines.filter { $0 == "  \(option.label)" || $0.hasPrefix("  \(option.label) ") }
                #expect(shown.count == 1, "\(place.path) \(option.label)")
            }
        }
    }

    @Test func `help lines have at most 80 characters, except commands to copy`() {
        for place in CommandPlace.all {
            for line in help(place.path) + help(place.path, .most) where line.count > 80 {
                #expect(line.hasPrefix("  ") && line.contains("authctl "), "\(line)")
            }
        }
    }
}

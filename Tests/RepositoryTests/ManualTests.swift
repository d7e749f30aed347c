import Foundation
import Testing

/// Compares the manual pages with the argument parser.
@Suite struct `The manual` {
    private func page(_ name: String) throws -> ManPage { ManPage(try Repository.text("man/\(name).1")) }

    /// The section of authctl(1) with the options of every command.
    private static let common = "OPTIONS"

    @Test func `Sections, options, synopsis and exit codes are read from mdoc`() {
        let page = ManPage(
            """
            .Sh SYNOPSIS
            .Nm authctl
            .Cm whoami
            .Nm authctl
            .Cm pending list
            .Op Fl -one
            .Sh DESCRIPTION
            .Ss authctl token Pq alias tok , authctl exec Fl - Ar command
            .It Fl X , -method Ar method
            With the flags of
            .Xr authctl-signin 1 ,
            .Pq Fl -one , -two Ns 's
            .It Xr authctl-exec 1
            .Sh EXIT STATUS
            .It 3
            timed out
            """)
        #expect(page.synopsis == [["whoami"], ["pending", "list"]])
        let section = page.sections[2]
        #expect(section.explained == ["X", "method"] && section.flags == ["X", "method", "one", "two"])
        #expect(section.pages == ["authctl-signin", "authctl-exec"])
        #expect(page.exitCodes == ["3": "timed out"])
    }

    @Test func `The manual pages are generated from the help, the examples and man/source`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "manual-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try Program.output("'\(Repository.root)/man/generate' '\(Program.folder)/authctl' '\(folder)'")
        let made = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let pages = try Repository.names(in: "man").filter { $0.hasSuffix(".1") && $0 != "authctl-emulator.1" }
        #expect(made == pages, "run make manual")
        for name in made {
            let text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
            let isSame = try Repository.text("man/\(name)") == text
            #expect(isSame, "man/\(name): run make manual")
        }
    }

    @Test func `Each command has a manual page, and authctl(1) lists it`() throws {
        let commands = try CommandDump.of("authctl").verbs.map { "authctl-\($0.commandName)" }
        let pages = try Repository.names(in: "man").filter { $0.hasPrefix("authctl-") && $0 != "authctl-emulator.1" }
        #expect(Set(pages) == Set(commands.map { $0 + ".1" }))
        let overview = try page("authctl")
        let start = try #require(overview.sections.firstIndex { $0.heading == "COMMANDS" })
        let groups = overview.sections[start...].prefix { $0.heading != Self.common }
        #expect(groups.reduce(into: Set<String>()) { $0.formUnion($1.pages) } == Set(commands))
        for name in try Repository.names(in: "man/source") {
            #expect((commands + ["authctl"]).contains(String(name.prefix { $0 != "." })), "man/source/\(name)")
        }
    }

    @Test func `The synopsis of each page lists exactly the command's subcommands and aliases`() throws {
        for command in try CommandDump.of("authctl").verbs {
            let verbs = (command.subcommands ?? []).map { [command.commandName, $0.commandName] }
            let expected = (verbs.isEmpty ? [[command.commandName]] : verbs) + (command.aliases ?? []).map { [$0] }
            #expect(try page("authctl-\(command.commandName)").synopsis == Set(expected))
        }
    }

    @Test func `Each page documents exactly its command's options and subcommands`() throws {
        let dump = try CommandDump.of("authctl")
        let common = try #require(page("authctl").sections.first { $0.heading == Self.common }).explained
        let every = dump.flags.union(dump.shortFlags)
        for command in dump.verbs {
            let page = try page("authctl-\(command.commandName)")
            let explained = page.sections.reduce(into: Set<String>()) { $0.formUnion($1.explained) }
            #expect(explained == command.shownFlags.subtracting(common), "\(command.commandName)")
            for section in page.sections {
                let unknown = section.flags.subtracting(every)
                #expect(unknown.isEmpty, "\(command.commandName), \(section.heading): \(unknown.sorted())")
            }
            for verb in command.subcommands ?? [] {
                let heading = "authctl \(command.commandName) \(verb.commandName)"
                #expect(page.sections.contains { $0.heading == heading }, "\(heading)")
            }
        }
    }

    @Test func `authctl(1) documents exactly the options that all commands share`() throws {
        let section = try #require(try page("authctl").sections.first { $0.heading == Self.common })
        let leaves = try CommandDump.of("authctl").verbs.flatMap(\.all).filter { ($0.subcommands ?? []).isEmpty }
        let shared = leaves.dropFirst().reduce(leaves[0].flags) { $0.intersection($1.flags) }
        #expect(section.explained == shared)
    }

    @Test func `Options that the help hides are documented as options of other tools`() throws {
        let dump = try CommandDump.of("authctl")
        let hidden = dump.verbs.reduce(into: Set<String>()) { $0.formUnion($1.flags.subtracting($1.shownFlags)) }
        let section = try #require(page("authctl").sections.first { $0.heading == "Options of other tools" })
        #expect(section.explained == hidden && hidden.contains("web"))
    }

    @Test func `The emulator's page documents exactly its options`() throws {
        let dump = try CommandDump.of("authctl-emulator")
        let page = try page("authctl-emulator")
        let explained = page.sections.reduce(into: Set<String>()) { $0.formUnion($1.explained) }
        #expect(explained == dump.flags.union(dump.shortFlags))
        for section in page.sections { #expect(section.flags.isSubset(of: explained), "\(section.heading)") }
    }

    @Test func `Each page has an OUTPUT section whose fields are in the sources`() throws {
        let quoted = Set(try Repository.files("Sources").values.joined().split(separator: "\"").map(String.init))
        for (path, text) in try Repository.files("man", suffix: ".1") where path != "man/authctl-emulator.1" {
            let isFree = ["completion", "exec", "request"].contains { path.hasSuffix("-\($0).1") }
            let output = text.split(separator: "\n.Sh OUTPUT\n").dropFirst().first?.split(separator: "\n.Sh ")[0]
            #expect((output == nil) == isFree, "\(path)")
            for row in (output ?? "").matches(of: #/(?m)^\.It (?:(?:Cm .*)? Ta )?Cm (\w+) Ta /#) {
                // The sources have a provider's settings by their names in config.yaml.
                let key = String(row.1.replacing(/[A-Z]/) { "_" + $0.0.lowercased() })
                let isInSources = [String(row.1), key, key + "_file"].contains(where: quoted.contains)
                #expect(isInSources, "\(path): \(row.1)")
            }
        }
    }

    @Test func `The documented exit codes are those of ErrorCode, with the same descriptions`() throws {
        var table = ["0": "success"]
        for line in try Repository.text("Sources/AuthCore/Base/ErrorCode.swift").split(separator: "\n") {
            guard let row = line.wholeMatch(of: /\s+\/\/ MARK: (\d+)  (.+)/) else { continue }
            table[String(row.1)] = String(row.2)
        }
        #expect(table.count == 13)
        #expect(try page("authctl").exitCodes == table)
    }
}

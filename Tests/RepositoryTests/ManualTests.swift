import Testing

/// The manual pages against the parser, both ways and exactly.
@Suite struct `The manual` {
    private func page(_ program: String) throws -> ManPage { ManPage(try Repository.text("man/\(program).1")) }

    /// The flags that every command takes stand in a section of their own.
    private static let common = "Flags every command takes"

    @Test func `it is read as mdoc has it`() {
        let page = ManPage(
            """
            .Sh SYNOPSIS
            .Nm
            .Cm whoami | status
            .Nm
            .Cm pending list | discard
            .Sh DESCRIPTION
            .Ss authctl token Pq alias tok , authctl exec Fl - Ar command
            .It Fl X , -method Ar method
            With the flags of
            .Cm authctl signin ,
            .Pq Fl -one , -two Ns 's
            .Sh EXIT STATUS
            .It 3
            nobody answered
            """)
        #expect(page.synopsis == ["whoami": [], "status": [], "pending": ["list", "discard"]])
        let section = page.sections[2]
        #expect(section.explained == ["X", "method"] && section.flags == ["X", "method", "one", "two"])
        #expect(section.references == ["signin"])
        #expect(ManPage.commands(section.heading).map(\.name) == ["token", "exec"])
        #expect(ManPage.commands(section.heading).first?.aliases == ["tok"])
        #expect(page.exitCodes == ["3": "nobody answered"])
    }

    @Test func `it has a section for each command, and an alias for each`() throws {
        let commands = try CommandDump.of("authctl").verbs
        let headings = try page("authctl").sections.flatMap { ManPage.commands($0.heading) }
        #expect(Set(headings.map(\.name)) == Set(commands.map(\.commandName)))
        for command in commands {
            let aliases = headings.first { $0.name == command.commandName }?.aliases ?? []
            #expect(Set(aliases) == Set(command.aliases ?? []), "\(command.commandName)")
        }
    }

    @Test func `its synopsis has the commands and their verbs, and no others`() throws {
        let verbs = try CommandDump.of("authctl").verbs
        let expected = Dictionary(
            uniqueKeysWithValues: verbs.map {
                ($0.commandName, Set(($0.subcommands ?? []).map(\.commandName)))
            })
        #expect(try page("authctl").synopsis == expected)
    }

    @Test func `each command's section explains its flags and verbs, and no other command's`() throws {
        let page = try page("authctl")
        let dump = try CommandDump.of("authctl")
        let common = try #require(page.sections.first { $0.heading == Self.common }).explained
        let every = dump.flags.union(dump.shortFlags)
        for section in page.sections {
            let unknown = section.flags.subtracting(every)
            #expect(unknown.isEmpty, "\(section.heading): \(unknown.sorted())")
            let names = ManPage.commands(section.heading).map(\.name)
            let commands = dump.verbs.filter { names.contains($0.commandName) }
            guard !commands.isEmpty else { continue }
            let own = commands.reduce(into: Set<String>()) { $0.formUnion($1.flags) }
            let foreign = section.explained.subtracting(own)
            #expect(foreign.isEmpty, "\(section.heading) explains \(foreign.sorted())")
            var told = section.flags.union(common)
            for reference in section.references {
                for other in page.sections
                where ManPage.commands(other.heading).contains(where: { $0.name == reference }) {
                    told.formUnion(other.flags)
                }
            }
            let missing = own.subtracting(told)
            #expect(missing.isEmpty, "\(section.heading) lacks \(missing.sorted())")
            for verb in commands.flatMap({ $0.subcommands ?? [] }) {
                #expect(section.names.contains(verb.commandName), "\(section.heading) lacks \(verb.commandName)")
            }
        }
    }

    @Test func `the flags that every command takes are just those`() throws {
        let section = try #require(try page("authctl").sections.first { $0.heading == Self.common })
        let leaves = try CommandDump.of("authctl").verbs.flatMap(\.all).filter { ($0.subcommands ?? []).isEmpty }
        let shared = leaves.dropFirst().reduce(leaves[0].flags) { $0.intersection($1.flags) }
        #expect(section.explained == shared)
    }

    @Test func `the emulator's page explains its flags, and no others`() throws {
        let dump = try CommandDump.of("authctl-emulator")
        let page = try page("authctl-emulator")
        let explained = page.sections.reduce(into: Set<String>()) { $0.formUnion($1.explained) }
        #expect(explained == dump.flags.union(dump.shortFlags))
        for section in page.sections { #expect(section.flags.isSubset(of: explained), "\(section.heading)") }
    }

    @Test func `its exit codes are those of the table in Failures, in the same words`() throws {
        var table = ["0": "done"]
        for line in try Repository.text("Sources/authctl/Failures/Code.swift").split(separator: "\n") {
            guard let row = line.wholeMatch(of: /\s+(\d+)  \/\/ (.+)/) else { continue }
            table[String(row.1)] = String(row.2)
        }
        #expect(table.count == 13)
        #expect(try page("authctl").exitCodes == table)
    }
}

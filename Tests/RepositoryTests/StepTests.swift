import Testing

@Suite struct `The checklists of ARCHITECTURE.md` {
    private static let providers = Result {
        let dialect = try Repository.text("Sources/AuthCore/Providers/Dialect.swift")
        let list =
            dialect.split(separator: "static let builtIn:").dropFirst().first?.split(separator: "]\n").first ?? ""
        return list.matches(of: /"([a-z.]+)", \./).map { String($0.1) }
    }

    @Test func `Each built-in provider has its emulator, URL, stories and documentation`() throws {
        let ids = try Self.providers.get()
        #expect(Set(ids).isSuperset(of: ["github.com", "twitter.com"]))
        let emulators = try Repository.files("Sources/authctl-emulator/Providers").values.joined()
        let urls = try Repository.text("Tests/AuthCoreTests/Providers/ProviderURLTests.swift")
        let stories = try Repository.files("Tests/ScriptTests/Cases", suffix: ".sh").keys
        let (readme, manual) = (try Repository.text("README.md"), try Repository.text("man/authctl-providers.1"))
        let emulatorManual = try Repository.text("man/authctl-emulator.1")
        for id in ids {
            #expect(emulators.contains("id: \"\(id)\""), "authctl-emulator/Providers has no '\(id)'")
            #expect(urls.contains("authorization URL for \(id) "), "ProviderURLTests has no URL of '\(id)'")
            #expect(
                stories.contains { $0.hasSuffix("/\(id.prefix { $0 != "." }).sh") },
                "Tests/ScriptTests/Cases has no file of '\(id)'")
            let name = id == "twitter.com" ? "x" : String(id.prefix { $0 != "." })
            let page = try Repository.text("docs/providers/\(name).md")
            #expect(page.hasPrefix("# ") && page.prefix(40).contains("`\(id)`"), "no page on '\(id)'")
            #expect(readme.contains("(docs/providers/\(name).md)"), "the README does not lead to '\(id)'")
            #expect(manual.contains(id), "man/authctl-providers.1 has no '\(id)'")
            #expect(emulatorManual.contains(".It \(id)\n"), "man/authctl-emulator.1 has no paragraph on '\(id)'")
        }
    }

    @Test func `Each command appears in a story`() throws {
        let stories = try Repository.files("Tests/ScriptTests/Cases", suffix: ".sh").values.joined()
        for command in try CommandDump.of("authctl").verbs {
            #expect(
                stories.contains("authctl \(command.commandName)"), "no story of 'authctl \(command.commandName)'")
        }
    }
}

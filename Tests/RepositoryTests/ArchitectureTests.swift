import Testing

@Suite struct `The architecture` {
    /// The folders of a target in the order of Packaging/layers: each may use those before it. The folder of `main` is empty.
    static func layers(of target: String) throws -> [String] {
        try Repository.text("Packaging/layers").split(separator: "\n").compactMap { line in
            let folder = line.prefix { $0 != " " }
            guard folder == target || folder.hasPrefix(target + "/") else { return nil }
            return String(folder.dropFirst(target.count + 1))
        }
    }

    static let architecture = Result { try Architecture() }

    @Test func `Declared types, used types and string literals of a file are distinguished`() {
        let text = SwiftText(
            """
            // struct Commented {}
            public struct Shown: Codable { /* Foreign /* Deeper */ */ let a = "Quoted \\(Inner("x").b) end"; struct Nested {} }
            private enum Hidden {}
            extension Other { func f() { _ = Module.Member; _ = #"raw \\(No) \\#(Yes)"# } }
            """)
        let file = Architecture.file("T/A.swift", text)
        #expect(file.declared == ["Shown"])
        #expect(file.named == ["Shown", "Codable", "Inner", "Nested", "Hidden", "Other", "Module", "Yes"])
        #expect(text.literals.map(\.words) == ["x", "Quoted \\(…) end", "raw \\(No) \\(…)"])
    }

    @Test func `A dependency cycle between files is detected, and a chain is not reported`() {
        func file(_ name: String, _ named: Set<String>) -> Architecture.File {
            Architecture.File(path: "T/\(name).swift", declared: [name], named: named, literals: [])
        }
        let architecture = Architecture([
            file("A", ["B"]), file("B", ["C"]), file("C", ["A"]), file("D", ["A", "E"]), file("E", []),
        ])
        #expect(architecture.cycles == [["T/A.swift", "T/B.swift", "T/C.swift"]])
        #expect(architecture.violations(in: "T", [""]).isEmpty)
    }

    @Test func `A dependency cycle has at most three files`() throws {
        for cycle in try Self.architecture.get().cycles {
            #expect(cycle.count <= 3, "\(cycle.joined(separator: ", "))")
        }
    }

    @Test func `Folders of AuthCore use only types of earlier layers`() throws {
        let architecture = try Self.architecture.get()
        #expect(architecture.files["AuthCore/SignIn/Tokens/CurrentToken.swift"]?.declared == ["CurrentToken"])
        let layers = try Self.layers(of: "AuthCore")
        #expect(layers.count > 10 && architecture.violations(in: "AuthCore", layers).isEmpty)
        for file in architecture.files.values where file.target == "AuthCore" {
            #expect(layers.contains { file.folder == $0 || file.folder.hasPrefix($0 + "/") }, "\(file.path)")
        }
    }

    @Test func `Folders of authctl use only types of earlier layers`() throws {
        let architecture = try Self.architecture.get()
        let layers = try Self.layers(of: "authctl")
        #expect(layers.last == "" && architecture.violations(in: "authctl", layers).isEmpty)
        for file in architecture.files.values where file.target == "authctl" {
            #expect(layers.contains(file.folder), "\(file.path)")
        }
    }

    @Test func `docs/architecture.svg is the output of make architecture`() throws {
        let drawn = try Program.output("'\(Repository.root)/Packaging/architecture'")
        let isSame = try Repository.text("docs/architecture.svg") == drawn
        #expect(isSame, "run make architecture")
    }

    @Test func `Only the Providers folder contains provider-specific code`() throws {
        let architecture = try Self.architecture.get()
        // A provider extends Dialect, and a CI system extends WorkloadPlatform, in a file that may declare other types.
        let own = try architecture.files.values.filter { file in
            guard file.folder.hasPrefix("Providers"), file.declared.isDisjoint(with: ["Dialect", "WorkloadPlatform"])
            else { return false }
            return try Repository.text("Sources/\(file.path)").contains(/(^|\n)extension (Dialect|WorkloadPlatform) \{/)
        }
        #expect(own.contains { $0.declared.contains("GitHub") })
        let types = own.reduce(into: Set<String>()) { $0.formUnion($1.declared) }
        let ids = Set(architecture.files.values.filter { $0.folder == "Providers" }.flatMap(\.literals).map(\.words))
            .filter { $0.wholeMatch(of: /[a-z]+\.com/) != nil }
        #expect(ids.isSuperset(of: ["github.com", "apple.com", "yahoo.com"]))
        for file in architecture.files.values
        where file.target != "authctl-emulator" && !file.folder.hasPrefix("Providers") {
            let named = file.named.intersection(types)
            #expect(named.isEmpty, "\(file.path) names \(named.sorted())")
            for literal in file.literals where ids.contains(literal.words) {
                Issue.record("\(file.path):\(literal.line) names \(literal.words)")
            }
        }
    }

    @Test func `Each C library is imported in only one folder`() throws {
        let importers = [
            "COpenSSL": "AuthCore/Crypto/", "CCurl": "AuthCore/HTTP/", "CSQLite": "AuthCore/Storage/",
            "CYAML": "AuthCore/Profiles/", "CSystemd": "AuthCore/Storage/Vaults/SecretService/",
        ]
        for (path, source) in try Repository.files("Sources") {
            for line in source.split(separator: "\n") where line.contains("import ") {
                for (module, place) in importers where line.hasSuffix("import \(module)") {
                    #expect(path.contains(place), "\(path) imports \(module)")
                }
            }
        }
    }
}

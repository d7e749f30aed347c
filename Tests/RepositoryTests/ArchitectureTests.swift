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

    /// The most code lines that each folder may have, in the order of `layers`.
    static func budgets(of target: String) throws -> [Int] {
        try Repository.text("Packaging/layers").split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words[0] == target || words[0].hasPrefix(target + "/") else { return nil }
            return Int(words[1])
        }
    }

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
        for cycle in try Architecture.shared.get().cycles {
            #expect(cycle.count <= 3, "\(cycle.joined(separator: ", "))")
        }
    }

    @Test func `Folders of AuthCore use only types of earlier layers`() throws {
        let architecture = try Architecture.shared.get()
        #expect(architecture.files["AuthCore/UseCases/Tokens/CurrentToken.swift"]?.declared == ["CurrentToken"])
        let layers = try Self.layers(of: "AuthCore")
        #expect(layers.count > 10 && architecture.violations(in: "AuthCore", layers) == [])
        for file in architecture.files.values where file.target == "AuthCore" {
            #expect(file.layer(of: layers) != nil, "\(file.path)")
        }
    }

    @Test func `Folders of authctl use only types of earlier layers, and features none of each other`() throws {
        let architecture = try Architecture.shared.get()
        let layers = try Self.layers(of: "authctl")
        #expect(layers.last == "" && architecture.violations(in: "authctl", layers) == [])
        for file in architecture.files.values where file.target == "authctl" {
            #expect(file.layer(of: layers) != nil, "\(file.path)")
        }
    }

    @Test func `A dependency between features is detected, and a file belongs to its innermost layer`() {
        func file(_ name: String, _ named: Set<String>) -> Architecture.File {
            let type = name.split(separator: "/").last.map(String.init) ?? ""
            return Architecture.File(path: "T/\(name).swift", declared: [type], named: named, literals: [])
        }
        let architecture = Architecture([
            file("Store/Rows/A", ["D"]), file("Store/B", []), file("Features/One/C", ["B"]),
            file("Features/Two/D", ["C"]),
        ])
        let layers = ["Store", "Store/Rows", "Features/One", "Features/Two"]
        #expect(
            architecture.violations(in: "T", layers) == [
                "T/Features/Two/D.swift names a type of T/Features/One/C.swift",
                "T/Store/Rows/A.swift names a type of T/Features/Two/D.swift",
            ])
    }

    @Test func `No folder has more code lines than its budget`() throws {
        let architecture = try Architecture.shared.get()
        for target in ["AuthCore", "authctl"] {
            let layers = try Self.layers(of: target)
            let budgets = try Self.budgets(of: target)
            #expect(budgets.count == layers.count)
            var lines = [Int](repeating: 0, count: layers.count)
            for file in architecture.files.values where file.target == target {
                guard let layer = file.layer(of: layers) else { continue }
                lines[layer] += file.codeLines
            }
            for (index, budget) in budgets.enumerated() {
                let place = "\(target)/\(layers[index])"
                #expect(lines[index] <= budget, "\(place) has more lines than Packaging/layers allows: shorten it")
            }
        }
        #expect(Architecture.codeLines("// a\n\nlet b = 1 // c\n    // d\n    e()\n") == 2)
    }

    @Test func `Tests are in the folders of their sources, and stories in the folder of their feature`() throws {
        let exceptions = [
            "Tests/AuthCoreTests/Attacks": "they cross the folders of a sign-in",
            "Tests/AuthCoreTests/Support": "providers and projects for tests of several folders",
            "Tests/AuthCoreTests/Store/Stores": "stores of earlier versions",
            "Tests/authctlTests/Emulator": "the emulator has no test target of its own",
        ]
        let sources = Set(
            try Repository.files("Sources").keys.map { $0.split(separator: "/").dropLast() }.flatMap { path in
                path.indices.map { path[...$0].joined(separator: "/") }
            })
        var unused = Set(exceptions.keys)
        for (tests, source) in [
            ("Tests/AuthCoreTests", "Sources/AuthCore"), ("Tests/authctlTests", "Sources/authctl"),
            ("Tests/ScriptTests/Cases", "Sources/authctl/Features"),
        ] {
            for path in try Repository.files(tests, suffix: "").keys {
                let folder = path.split(separator: "/").dropLast().joined(separator: "/")
                if unused.remove(folder) != nil || exceptions[folder] != nil { continue }
                #expect(
                    sources.contains(source + folder.dropFirst(tests.count)), "\(path): \(source) has no such folder")
            }
        }
        #expect(unused.isEmpty)
    }

    @Test func `A folder has at most 30 files`() throws {
        let files = try Architecture.shared.get().files.values.filter { $0.target != "authctl-emulator" }
        let folders = Dictionary(grouping: files) { "\($0.target)/\($0.folder)" }
        #expect(folders.count > 40)
        for (folder, files) in folders { #expect(files.count <= 30, "\(folder) has \(files.count) files") }
    }

    @Test func `A file with one user has 15 code lines or more`() throws {
        let architecture = try Architecture.shared.get()
        var users: [String: Set<String>] = [:]
        for (file, others) in architecture.dependencies {
            for other in others { users[other, default: []].insert(file) }
        }
        for (path, users) in users where users.count == 1 && !path.hasPrefix("authctl-emulator/") {
            let lines = architecture.files[path]?.codeLines ?? 0
            #expect(lines >= 15, "\(path) has \(lines) code lines: move them to \(users.joined())")
        }
    }

    @Test func `docs/architecture.svg is the output of make architecture`() throws {
        let drawn = try Program.output("'\(Repository.root)/Packaging/architecture'")
        let isSame = try Repository.text("docs/architecture.svg") == drawn
        #expect(isSame, "run make architecture")
    }

    @Test func `Only the Providers folder contains provider-specific code`() throws {
        let architecture = try Architecture.shared.get()
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
            "COpenSSL": "AuthCore/Crypto/", "CCurl": "AuthCore/HTTP/Client/", "CSQLite": "AuthCore/Store/SQLite/",
            "CYAML": "AuthCore/Profiles/", "CSystemd": "AuthCore/Store/Vaults/SecretService/",
        ]
        for (path, source) in try Repository.files("Sources") where !path.contains("authctl-emulator/") {
            for line in source.split(separator: "\n") where line.contains("import ") {
                for (module, place) in importers where line.hasSuffix("import \(module)") {
                    #expect(path.contains(place), "\(path) imports \(module)")
                }
            }
        }
    }
}

import Testing

/// Rooms and floors: what may name what.
@Suite struct `The house` {
    /// The rooms of AuthCore in the order data flows; a room may use those before it.
    static let rooms = [
        "Errors", "Crypto", "JOSE", "HTTP", "OAuth", "OpenID", "Providers", "Accounts", "Storage", "Ledger",
        "Directories/Local",
        "Directories/Firebase", "Profiles", "SignIn", "Doors",
    ]

    /// The floors of authctl, each upon those before it. The last one has no folder.
    static let floors = [
        "Terminal", "Failures", "Context", "Credential", "Text", "Flags", "Setup", "Doctor", "Tools", "Commands", "",
    ]

    static let house = Result { try House() }

    @Test func `a file's types, names and texts are told apart`() {
        let text = SwiftText(
            """
            // struct Commented {}
            public struct Shown: Codable { /* Foreign /* Deeper */ */ let a = "Quoted \\(Inner("x").b) end"; struct Nested {} }
            private enum Hidden {}
            extension Other { func f() { _ = Module.Member; _ = #"raw \\(No) \\#(Yes)"# } }
            """)
        let file = House.file("T/A.swift", text)
        #expect(file.declared == ["Shown"])
        #expect(file.named == ["Shown", "Codable", "Inner", "Nested", "Hidden", "Other", "Module", "Yes"])
        #expect(text.literals.map(\.words) == ["x", "Quoted \\(…) end", "raw \\(No) \\(…)"])
    }

    @Test func `a circle is found, and a chain is none`() {
        func file(_ name: String, _ named: Set<String>) -> House.File {
            House.File(path: "T/\(name).swift", declared: [name], named: named, literals: [])
        }
        let house = House([file("A", ["B"]), file("B", ["C"]), file("C", ["A"]), file("D", ["A", "E"]), file("E", [])])
        #expect(house.circles == [["T/A.swift", "T/B.swift", "T/C.swift"]])
        #expect(house.upward(in: "T", [""]).isEmpty)
    }

    @Test func `no more than three files name each other in a circle`() throws {
        for circle in try Self.house.get().circles {
            #expect(circle.count <= 3, "\(circle.joined(separator: ", "))")
        }
    }

    @Test func `no room refers to a type of a later room`() throws {
        let house = try Self.house.get()
        #expect(house.files["AuthCore/SignIn/CurrentToken.swift"]?.declared == ["CurrentToken"])
        #expect(house.upward(in: "AuthCore", Self.rooms).isEmpty)
        for file in house.files.values where file.target == "AuthCore" {
            #expect(Self.rooms.contains { file.folder == $0 || file.folder.hasPrefix($0 + "/") }, "\(file.path)")
        }
    }

    @Test func `no floor refers to a type of a later floor`() throws {
        let house = try Self.house.get()
        #expect(house.upward(in: "authctl", Self.floors).isEmpty)
        for file in house.files.values where file.target == "authctl" {
            #expect(Self.floors.contains(file.folder), "\(file.path)")
        }
    }

    @Test func `no room but Providers knows what a provider does its own way`() throws {
        let house = try Self.house.get()
        // A provider is an extension of Dialect, a CI system one of WorkloadPlatform, with what else it needs beside it.
        let own = try house.files.values.filter { file in
            guard file.folder.hasPrefix("Providers"), file.declared.isDisjoint(with: ["Dialect", "WorkloadPlatform"])
            else { return false }
            return try Repository.text("Sources/\(file.path)").contains(/(^|\n)extension (Dialect|WorkloadPlatform) \{/)
        }
        #expect(own.contains { $0.declared.contains("GitHub") })
        // Its type, and its ID as a text of its own.
        let types = own.reduce(into: Set<String>()) { $0.formUnion($1.declared) }
        let ids = Set(house.files.values.filter { $0.folder == "Providers" }.flatMap(\.literals).map(\.words))
            .filter { $0.wholeMatch(of: /[a-z]+\.com/) != nil }
        #expect(ids.isSuperset(of: ["github.com", "apple.com", "yahoo.com"]))
        for file in house.files.values where file.target != "authctl-emulator" && !file.folder.hasPrefix("Providers") {
            let named = file.named.intersection(types)
            #expect(named.isEmpty, "\(file.path) names \(named.sorted())")
            for literal in file.literals where ids.contains(literal.words) {
                Issue.record("\(file.path):\(literal.line) names \(literal.words)")
            }
        }
    }

    @Test func `the C libraries have one importer each`() throws {
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

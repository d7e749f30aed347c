import Testing

@Suite struct `The sources` {
    @Test func `Sources use clinux_entry_name instead of d_name`() throws {
        for (path, source) in try Repository.files("Sources") {
            #expect(!source.contains(".d_name"), "\(path): use clinux_entry_name")
        }
    }

    @Test func `JSON strings are compared by bytes, never by Unicode equivalence`() throws {
        for folder in ["Sources/AuthCore", "Sources/authctl"] {
            for (path, source) in try Repository.files(folder) {
                for line in source.split(separator: "\n") {
                    let isCompared = [".string ==", ".string !=", "strings.contains(", "strings?.contains("].contains {
                        line.contains($0)
                    }
                    #expect(!isCompared, "\(path): \(line)")
                }
            }
        }
    }

    @Test func `AuthCore does not print, read the environment or read the clock`() throws {
        // The public API uses the process's environment by default.
        let files = try Repository.files("Sources/AuthCore").filter { !$0.key.contains("/PublicAPI/") }
        #expect(files.count > 100)
        for (path, source) in files {
            for forbidden in [" print(", "getenv(", "ProcessInfo", "Date()", "clock_gettime", "time(nil)"] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
        }
    }

    @Test func `Only Output.swift writes to standard output and standard error, and escapes the text`() throws {
        for (path, source) in try Repository.files("Sources/authctl") where !path.hasSuffix("Terminal/Output.swift") {
            for forbidden in [
                " print(", "debugPrint(", " dump(", "fputs(", " puts(", "printf(", "putchar(", "fwrite(", "FileHandle",
                "STDOUT_FILENO", "STDERR_FILENO", "write(1,", "write(2,", "to: 1)", "to: 2)", "perror(",
                "ServerText.escaped",
            ] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
        }
        let output = try Repository.text("Sources/authctl/Terminal/Output.swift")
        #expect(output.contains("private static func write(_ bytes: [UInt8], to"))
    }

    @Test func `Only HTTPMessage.swift sends requests, so that responses know the secrets to redact`() throws {
        for (path, source) in try Repository.files("Sources/AuthCore") where !path.hasSuffix("/HTTPMessage.swift") {
            #expect(!source.contains("ransport.send("), "\(path): use response(to:) to send a request")
        }
    }

    @Test func `Sources do not contain try!, as!, forced unwraps, fatalError, TODO or FIXME`() throws {
        for (path, source) in try Repository.files("Sources") {
            for forbidden in ["try!", "as!", "fatalError(", "TODO", "FIXME"] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
        }
        for file in try Architecture.shared.get().files.values {
            #expect(file.forcedUnwraps.isEmpty, "\(file.path) has a forced unwrap")
        }
        let text = "a!.b(c[0]!, d()!) ?? e!\nlet f: Int! = !g != h // i!\n\"j! \\(k!)\"\n/* l! */ #if !os(m)"
        #expect(SwiftText(text).forcedUnwraps == [1, 1, 1, 1, 2, 3])
    }

    @Test func `An interpolation has at most one conditional expression`() throws {
        for file in try Architecture.shared.get().files.values where file.target != "authctl-emulator" {
            #expect(file.nestedConditions.isEmpty, "\(file.path):\(file.nestedConditions): use a switch or a property")
        }
        let text = #"let a = "\(b ? c : d)\(e ?? f)""# + "\n" + #"let g = "\(h ? "\(i ? j : k)" : l)""#
        #expect(SwiftText(text).nestedConditions == [2])
    }

    @Test(arguments: [
        ("pthread_create(", "AuthCore/Base/NewThread.swift"), (" renameat(", "AuthCore/Files/AtomicFile.swift"),
        (" rename(", nil), ("0123456789abcdef\"", "AuthCore/Base/Hexadecimal.swift"),
    ])
    func `Threads, atomic files and hexadecimal digits have one implementation each`(
        _ words: String, _ place: String?
    ) throws {
        let places = try Repository.files("Sources").filter { $0.value.contains(words) }.keys
        #expect(places.sorted() == (place.map { ["Sources/\($0)"] } ?? []))
    }

    /// Files that may use unsafe pointers, and why. Strict memory safety is not enabled: it requires `unsafe` at 652
    /// expressions, half of them in the C bindings, many at calls where a reviewer has nothing to check.
    static let pointers = [
        "AuthCore/Base/": "the start of a thread, bytes that are compared by the C library",
        "AuthCore/Crypto/": "OpenSSL, secrets that are wiped", "AuthCore/Files/": "files",
        "AuthCore/HTTP/": "libcurl, bytes of connections, socket addresses",
        "AuthCore/Store/": "SQLite, the bus, files",
        "AuthCore/Profiles/YAML/YAMLEvents.swift": "libyaml",
        "AuthCore/JOSE/": "bytes that are read by the C library",
        "authctl/Features/Serve/": "bytes of connections, passed on without a copy",
        "authctl/Terminal/": "the terminal, processes, files",
        "authctl/Features/Doctor/": "socket addresses, library versions",
    ]

    @Test func `Unsafe pointers appear only in listed files, each with a reason`() throws {
        var unused = Set(Self.pointers.keys)
        for file in try Architecture.shared.get().files.values where file.target != "authctl-emulator" {
            let names = file.named.filter { name in
                ["Unsafe", "Opaque", "Unmanaged"].contains { name.hasPrefix($0) }
            }
            guard !names.isEmpty else { continue }
            let place = Self.pointers.keys.first { file.path.hasPrefix($0) }
            if let place { unused.remove(place) } else { Issue.record("\(file.path) names \(names.sorted())") }
        }
        #expect(unused.isEmpty, "no longer needed: \(unused.sorted())")
    }

    /// Files of authctl that may use regular expressions, and what they read. It is never a message of authctl itself:
    /// an error's data are in its case.
    static let expressions = [
        "authctl/Parser/Usage.swift": "messages of ArgumentParser",
        "authctl/Parser/CompletionScript.swift": "its completion scripts",
        "authctl/Features/Doctor/Report.swift": "names and paths that a report must not have",
    ]

    @Test func `Regular expressions appear only in listed files of authctl, each with a reason`() throws {
        let marks = [
            "Regex", "Match(of:", "matches(of:", "(/", "of: /", "separator: /", "regularExpression", " #/", "(#/",
        ]
        let users = try Repository.files("Sources/authctl").filter { source in
            let code = source.value.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            return code.contains { line in marks.contains { line.contains($0) } }
        }
        #expect(Set(users.keys) == Set(Self.expressions.keys.map { "Sources/\($0)" }))
    }

    @Test func `Only rules are called as functions, and use cases have a verb`() throws {
        let callable = try Repository.files("Sources").filter { $0.value.contains("callAsFunction") }.keys
        #expect(callable.sorted() == ["Sources/AuthCore/Accounts/SessionRule.swift"])
    }

    /// Files whose functions may have two parameters without labels, and why.
    static let unlabelled = [
        "Sources/AuthCore/HTTP/Client/HTTPMessage.swift": "a method and a URL, as in a request line",
        "Sources/authctl/App/Views/Finding.swift": "a name and what was found, as in the cases of an enumeration",
        "Sources/authctl/Messages/CommandErrors.swift": "a code and a message, at 75 places",
    ]

    /// The declarations of functions with three or more parameters of which more than one has no label.
    static func unlabelledFunctions(in source: String) -> [Substring] {
        source.matches(of: /[ \n](?:func \w+|init\??)(?:<[^(]*>)?\(/).compactMap { match in
            var (depth, previous, parameters) = (1, Character(" "), [""])
            for character in source[match.range.upperBound...].prefix(4000).replacing("<<", with: "") {
                if "([{<".contains(character) { depth += 1 }
                if ")]}".contains(character) || character == ">" && previous != "-" { depth -= 1 }
                if depth == 0 { break }
                if character == ",", depth == 1 {
                    parameters.append("")
                } else if !parameters[parameters.count - 1].isEmpty || !character.isWhitespace {
                    parameters[parameters.count - 1].append(character)
                }
                previous = character
            }
            let unlabelled = parameters.filter { $0.hasPrefix("_ ") }
            return parameters.count > 2 && unlabelled.count > 1 ? match.0 : nil
        }
    }

    @Test func `Of three or more parameters, at most the first has no label`() throws {
        var found: Set<String> = []
        for folder in ["Sources/AuthCore", "Sources/authctl"] {
            for (path, source) in try Repository.files(folder) where !Self.unlabelledFunctions(in: source).isEmpty {
                found.insert(path)
            }
        }
        #expect(found == Set(Self.unlabelled.keys))
        let text = " func f(_ a: A, _ b: B<C, D>, c: () -> E)\n init(_ a: A, b: B, c: C)\n func g(_ a: A<B, C>, _ d: D)"
        #expect(Self.unlabelledFunctions(in: text) == [" func f("])
    }

    @Test func `Messages depend on what a command does, never on its name`() throws {
        for (path, source) in try Repository.files("Sources/authctl/Messages") {
            for comparison in ["context.command", "command ==", "command !=", "command.first", "command.last"] {
                #expect(!source.contains(comparison), "\(path): use ErrorContext.Purpose")
            }
        }
    }

    @Test func `Each @unchecked Sendable and nonisolated(unsafe) has a comment with the reason`() throws {
        for (path, source) in try Repository.files("Sources") {
            let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                let promises = ["@unchecked Sendable", "nonisolated(unsafe)"].filter { line.contains($0) }
                guard !promises.isEmpty else { continue }
                let comment = lines[..<index].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("//") }
                #expect(
                    comment.contains { $0.contains("because") || $0.contains("for the reason") },
                    "\(path):\(index + 1): add a comment with 'because'")
            }
        }
    }

    @Test func `Only the emulator depends on FlyingFox, an HTTP server`() throws {
        let targets = try Repository.text("Package.swift").split(separator: /arget\(\s/).dropFirst()
        let users = targets.filter { $0.contains("FlyingFox") }
        #expect(users.count == 1 && users.first?.contains("name: \"authctl-emulator\"") == true)
        for (path, source) in try Repository.files("Sources") where !path.hasPrefix("Sources/authctl-emulator/") {
            #expect(!source.contains("import Flying"), "\(path)")
        }
    }

    @Test
    func `Release builds have no local rpath and bind all symbols at start`()
        throws
    {
        let makefile = try Repository.text("Makefile")
        let flags = try #require(makefile.split(separator: "\nRELEASE := ").dropFirst().first)
        let release = flags.replacing("\\\n", with: "").split(separator: "\n")[0]
        #expect(release.contains("--disable-local-rpath") && release.contains("-Xlinker -z -Xlinker now"))
        #expect(makefile.contains("swift build $(RELEASE) --product authctl\n"))
        // `make check-release` and CI check the linked libraries.
        #expect(try Repository.text(".ci/run").contains(" check-release"))
    }

    @Test func `The package versions in --version are those of Package.resolved`() throws {
        let source = try Repository.text("Sources/authctl/App/Version.swift")
        let named = source.matches(of: /name: "([^"]+)", version: "([^"]+)"/).map { "\($0.1) \($0.2)".lowercased() }
        #expect(named.count == 2)
        // A clone that was never built does not have the file.
        guard let resolved = try? Repository.text("Package.resolved") else { return }
        let pins = resolved.matches(of: /"identity" : "([^"]+)"[^}]*"version" : "([^"]+)"/).map { "\($0.1) \($0.2)" }
        // FlyingFox is in the emulator, and the others are in programs that use the library.
        let others = ["flyingfox ", "swift-metrics ", "swift-distributed-tracing "]
        for pin in pins where !others.contains(where: pin.hasPrefix) {
            #expect(named.contains(pin), "Package.resolved has \(pin)")
        }
    }
}

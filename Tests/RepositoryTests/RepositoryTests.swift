import FoundationEssentials
import Testing

/// What the compiler cannot check: the rooms, and that what is written agrees with what is built.
@Suite struct `The repository` {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The rooms in the order data flows; a room may use those before it.
    static let rooms = [
        "Crypto", "JOSE", "HTTP", "OAuth", "OpenID", "Providers", "Accounts", "Storage", "Directories", "SignIn",
    ]

    private func files(_ folder: String, suffix: String = ".swift") throws -> [String: String] {
        var found: [String: String] = [:]
        let manager = FileManager.default
        for name in try manager.subpathsOfDirectory(atPath: Self.root + "/" + folder) where name.hasSuffix(suffix) {
            found["\(folder)/\(name)"] = try text("\(folder)/\(name)")
        }
        return found
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: Self.root + "/" + path)), as: UTF8.self)
    }

    private func words(_ text: String) -> Set<Substring> {
        Set(text.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }

    @Test func `the two C libraries have one importer each`() throws {
        for (path, source) in try files("Sources") {
            let lines = source.split(separator: "\n")
            #expect(!lines.contains { $0.hasSuffix("import COpenSSL") } || path.contains("AuthCore/Crypto/"), "\(path)")
            #expect(!lines.contains { $0.hasSuffix("import CCurl") } || path.contains("AuthCore/HTTP/"), "\(path)")
        }
    }

    @Test func `the name of a directory's entry is not copied beyond its end`() throws {
        for (path, source) in try files("Sources") { #expect(!source.contains(".d_name"), "clinux_entry_name: \(path)") }
    }

    @Test func `no room refers to a type of a later room`() throws {
        var declared: [String: Set<String>] = [:]
        for room in Self.rooms {
            for (_, source) in try files("Sources/AuthCore/\(room)") {
                for line in source.split(separator: "\n") where !line.hasPrefix(" ") {
                    let parts = line.split(separator: " ")
                    guard
                        let kind = parts.firstIndex(where: {
                            ["struct", "class", "enum", "protocol", "actor", "typealias"].contains($0)
                        }),
                        kind + 1 < parts.count, !line.hasPrefix("//"), !line.hasPrefix("private"),
                        !line.hasPrefix("extension")
                    else { continue }
                    declared[room, default: []].insert(String(parts[kind + 1].prefix { $0.isLetter || $0.isNumber }))
                }
            }
        }
        #expect(declared["SignIn"]?.contains("CurrentToken") == true, "the test reads declarations")
        for (index, room) in Self.rooms.enumerated() {
            let later = Self.rooms[(index + 1)...].flatMap { declared[$0] ?? [] }
            for (path, source) in try files("Sources/AuthCore/\(room)") {
                let code = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                    separator: "\n")
                let used = words(withoutStrings(code))
                for name in later {
                    #expect(!used.contains(Substring(name)), "\(path) uses \(name), which comes later")
                }
            }
        }
    }

    private func withoutStrings(_ code: String) -> String {
        code.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: " ")
    }

    @Test func `texts of JSON are compared as JSON, by their bytes, and never by what Unicode calls equivalent`() throws
    {
        for folder in ["Sources/AuthCore", "Sources/authctl"] {
            for (path, source) in try files(folder) {
                for line in source.split(separator: "\n") {
                    let isCompared = [".string ==", ".string !=", "strings.contains(", "strings?.contains("].contains {
                        line.contains($0)
                    }
                    #expect(!isCompared, "\(path): \(line)")
                }
            }
        }
    }

    @Test func `no room but Providers asks which provider it has`() throws {
        let sources = try files("Sources/AuthCore").merging(files("Sources/authctl")) { first, _ in first }
        #expect(sources.keys.contains { $0.contains("AuthCore/Providers/GitHub") })
        for (path, source) in sources where !path.contains("AuthCore/Providers/") {
            for name in ["github", "apple", "microsoft", "google", "facebook", "twitter"] {
                #expect(!source.contains("\"\(name).com\""), "\(path) names \(name).com")
            }
        }
    }

    @Test func `the core prints nothing, reads no environment and asks no clock`() throws {
        for (path, source) in try files("Sources/AuthCore") {
            for forbidden in [" print(", "getenv(", "ProcessInfo", "Date()", "clock_gettime", "time(nil)"] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
        }
    }

    @Test func `one file writes to standard output and standard error, and escapes what it writes`() throws {
        for (path, source) in try files("Sources/authctl") where !path.hasSuffix("Terminal/Output.swift") {
            for forbidden in [
                " print(", "debugPrint(", " dump(", "fputs(", " puts(", "printf(", "putchar(", "fwrite(", "FileHandle",
                "STDOUT_FILENO", "STDERR_FILENO", "write(1,", "write(2,", "to: 1)", "to: 2)", "perror(",
                "ServerText.escaped",
            ] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
        }
        let output = try text("Sources/authctl/Terminal/Output.swift")
        #expect(output.contains("private static func write(_ bytes: [UInt8], to"))
    }

    @Test func `every answer knows what its request carried`() throws {
        for (path, source) in try files("Sources/AuthCore") where !path.hasSuffix("HTTP/HTTPMessage.swift") {
            #expect(!source.contains("ransport.send("), "\(path) sends a request by itself: answer(to:) does")
        }
    }

    @Test func `the programs that are installed look for no library beside themselves and bind everything at their start`()
        throws
    {
        let makefile = try text("Makefile")
        let flags = try #require(makefile.split(separator: "\nRELEASE := ").dropFirst().first)
        let release = flags.replacing("\\\n", with: "").split(separator: "\n")[0]
        #expect(release.contains("--disable-local-rpath") && release.contains("-Xlinker -z -Xlinker now"))
        #expect(makefile.contains("swift build $(RELEASE) --product authctl\n"))
        // What is linked is looked at where it is: `make check-release` and CI.
        #expect(try text(".ci/run").contains("make check-release"))
    }

    @Test func `nothing is forced`() throws {
        for (path, source) in try files("Sources") {
            for forbidden in ["try!", "as!", "fatalError(", "TODO", "FIXME"] {
                #expect(!source.contains(forbidden), "\(path) has \(forbidden)")
            }
            for line in source.split(separator: "\n") where line.contains("@unchecked Sendable") && !line.contains("//")
            {
                let name = line.split(separator: " ").first { $0.contains(":") } ?? line
                #expect(source.contains("`@unchecked Sendable`"), "\(path): \(name) says why")
            }
        }
    }

    @Test func `the emulator's code is not in the sign-in tool`() throws {
        let package = try text("Package.swift")
        let tool = try #require(package.split(separator: ".executableTarget(").dropFirst().first)
        #expect(!tool.contains("\"FlyingFox\""))
        for (path, source) in try files("Sources/authctl") { #expect(!source.contains("import FlyingFox"), "\(path)") }
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `the man page names every command and flag of the parser, and no other flag`(program: String) throws {
        let page = try text("man/\(program).1")
        let help = try CommandDump.of(program)
        let flags = Set(help.flags)
        #expect(flags.count > 5)
        for flag in flags { #expect(page.contains("-\(flag)"), "man/\(program).1 lacks --\(flag)") }
        for command in help.commands { #expect(page.contains(command), "man/\(program).1 lacks '\(command)'") }
        for part in page.components(separatedBy: "Fl -").dropFirst() {
            let name = String(part.prefix { $0.isLetter || $0 == "-" })
            guard name.count > 1 else { continue }
            #expect(flags.contains(name), "man/\(program).1 has --\(name), which the parser has not")
        }
    }

    @Test(arguments: ["authctl", "authctl-emulator"], [("bash", "%.bash"), ("zsh", "_%"), ("fish", "%.fish")])
    func `the completions are those of the parser`(program: String, shell: (name: String, file: String)) throws {
        let written = try text("completions/" + shell.file.replacing("%", with: program))
        #expect(
            try Program.output([program, "--generate-completion-script", shell.name]) == written, "run make completions"
        )
    }

    @Test(arguments: ["authctl", "authctl-emulator"])
    func `every flag and command has a help text that starts with a capital and ends with a full stop`(program: String)
        throws
    {
        for text in try CommandDump.of(program).abstracts {
            #expect(text.first?.isUppercase == true, "\(text)")
            #expect(
                text.hasSuffix(".") || text.hasSuffix("].") || text.hasSuffix("]") || text.hasSuffix(")."), "\(text)")
        }
    }

    @Test func `every exit code of the error table stands in the man page`() throws {
        let page = try text("man/authctl.1")
        for code in [0, 1, 2, 3, 4, 5, 6, 7, 64, 65, 69, 74, 78] { #expect(page.contains("\n.It \(code)\n")) }
    }

    @Test func `every vector has a source`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root + "/Tests/Vectors")
        for folder in folders { #expect(try text("Tests/Vectors/\(folder)/SOURCE.md").contains("RFC"), "\(folder)") }
    }

    /// Else a test is one thing here and another where something happens to lie beside the clone.
    @Test func `no story reads what is not in the clone`() throws {
        let cases = Self.root + "/Tests/ScriptTests/Cases"
        for name in try FileManager.default.contentsOfDirectory(atPath: cases) {
            #expect(try !text("Tests/ScriptTests/Cases/\(name)").contains("$ROOT/.."), "\(name)")
        }
    }
}

import FoundationEssentials
import Testing

/// The text of README.md and docs/. `Executed documents` runs their commands.
@Suite struct `README and docs` {
    private static func documents() throws -> [String: String] {
        try Repository.files("docs", suffix: ".md").merging(["README.md": Repository.text("README.md")]) { a, _ in a }
    }

    /// The lines outside of code blocks.
    private static func prose(_ text: String) -> [Substring] {
        var isBlock = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isBlock.toggle() }
            return !isBlock && !line.hasPrefix("```")
        }
    }

    /// The anchor that GitHub makes for a heading.
    private static func anchor(_ heading: some StringProtocol) -> String {
        String(heading.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
    }

    @Test func `README.md answers in 60 lines before Install, with a picture`() throws {
        let readme = try Repository.text("README.md")
        let first = readme.split(separator: "\n## Install\n")[0].split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(first.count <= 60, "\(first.count) lines")
        #expect(first.contains { $0.hasPrefix("![") && $0.contains(".svg") })
    }

    @Test func `Lines have at most 118 characters, and tables at most four columns`() throws {
        for (path, text) in try Self.documents() {
            for line in Self.prose(text) where line.count > 118 {
                #expect(line.hasPrefix("|"), "\(path): \(line)")
            }
            for line in Self.prose(text) where line.hasPrefix("|") {
                #expect(line.split(separator: "|").count <= 4, "\(path): \(line)")
            }
        }
    }

    @Test func `docs has at most 16 pages for users, none of which is too long`() throws {
        let pages = try Self.documents().filter { path, _ in
            path.wholeMatch(of: /docs\/(tasks\/)?[\w-]+\.md/) != nil && !path.contains(/conformance|quality/)
        }
        #expect(pages.count <= 16, "\(pages.keys.sorted())")
        for (path, text) in pages {
            #expect(text.split(separator: "\n\n")[1].hasPrefix("If you "), "\(path) begins with the mechanism")
            let isForLookingUp = path.contains(/troubleshooting|coming-from/)
            let words = text.split(whereSeparator: \.isWhitespace).count
            #expect(words <= (isForLookingUp ? 2000 : 1500), "\(path): \(words) words")
        }
    }

    @Test func `The setup of a test is in a file beside its page`() throws {
        let documents = try Self.documents()
        for (path, text) in documents { #expect(!text.contains("<!--"), "\(path) has a comment") }
        for path in try Repository.files("docs", suffix: ".setup").keys {
            #expect(documents[path.replacing(/setup$/, with: "md")] != nil, "no page for \(path)")
        }
    }

    @Test func `Examples do not hide the failure of a command behind export or local`() throws {
        let pages = try Repository.files("man", suffix: ".1").merging(Self.documents()) { a, _ in a }
        for (path, text) in pages {
            for line in text.split(separator: "\n") {
                let isHidden = line.contains(/\b(export|local|readonly|declare) [A-Za-z_]+="?(\$\(|`)/)
                #expect(!isHidden, "\(path): \(line)")
            }
        }
    }

    @Test func `Examples give curl a token on standard input, not as an argument`() throws {
        let pages = try Repository.files("man", suffix: ".1").merging(Self.documents()) { a, _ in a }
        for (path, text) in pages {
            for line in text.split(separator: "\n") where line.contains("curl") {
                #expect(!line.contains(/-H ["'](\$\(authctl|Authorization)/), "\(path): \(line)")
            }
        }
    }

    @Test func `Each relative link leads to an existing file and heading`() throws {
        var documents = try Self.documents()
        for name in try Repository.names(in: "") where name.hasSuffix(".md") {
            documents[name] = try Repository.text(name)
        }
        for (path, text) in documents {
            for (target, heading) in Self.links(text, from: path) {
                let file = Repository.root + "/" + target
                #expect(FileManager.default.fileExists(atPath: file), "\(path): \(target)")
                guard let heading, let linked = documents[target] else { continue }
                #expect(Self.headings(linked).contains(heading), "\(path): \(target)#\(heading)")
            }
        }
    }

    /// The pages and sections that users need most. Each section is about half a page.
    private static let tasks = [
        "docs/accounts.md#a-backup", "docs/accounts.md#a-new-machine", "docs/accounts.md#one-account-for-each-folder",
        "docs/accounts.md#several-accounts", "docs/agents.md#api-keys-of-llm-clients", "docs/agents.md#in-a-container",
        "docs/ci.md#github-actions", "docs/install.md#uninstall", "docs/install.md#upgrade", "docs/scripts.md#aws",
        "docs/scripts.md#exit-codes", "docs/scripts.md#google-cloud", "docs/scripts.md#json",
        "docs/security.md#change-secrets-and-keys", "docs/security.md#if-a-secret-was-exposed",
        "docs/security.md#the-desktops-keyring", "docs/tools.md#git",
    ]

    @Test(arguments: tasks) func `A task is at most two links away from README`(task: String) throws {
        let documents = try Self.documents()
        let parts = task.split(separator: "#").map(String.init)
        let first = Self.links(try #require(documents["README.md"]), from: "README.md").map(\.target)
        let second = first.flatMap { page in documents[page].map { Self.links($0, from: page) } ?? [] }
        #expect((first + second.map(\.target)).contains(parts[0]))
        if parts.count == 2 { #expect(Self.headings(try #require(documents[parts[0]])).contains(parts[1])) }
    }

    /// The files of the project that a document links to, and its pictures.
    private static func links(_ text: String, from path: String) -> [(target: String, heading: String?)] {
        let folder = path.split(separator: "/").dropLast()
        return prose(text).joined(separator: "\n").matches(of: /\]\(([^)]+)\)/).map(\.1)
            .filter { !$0.hasPrefix("https://") }
            .map { link in
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                var place = Array(folder)
                for part in parts[0].split(separator: "/") {
                    if part == ".." { place.removeLast() } else if part != "." { place.append(part) }
                }
                return (
                    parts[0].isEmpty ? path : place.joined(separator: "/"), parts.count == 2 ? String(parts[1]) : nil
                )
            }
    }

    private static func headings(_ text: String) -> [String] {
        prose(text).filter { $0.hasPrefix("#") }.map { anchor($0.drop { $0 == "#" }.drop { $0 == " " }) }
    }

    @Test func `Each document is linked from another document`() throws {
        let documents = try Self.documents()
        let links = documents.values.joined().matches(of: /\]\(([^)#]+)/).map { $0.1.split(separator: "/").last ?? "" }
        for path in documents.keys where path != "README.md" {
            #expect(links.contains { path.hasSuffix("/" + $0) }, "no link to \(path)")
        }
    }

    @Test func `Each Swift block is a program in Examples, and each program is in a document`() throws {
        let programs = Set(try Repository.files("Examples/Sources").values)
        var shown: Set<String> = []
        for (path, text) in try Self.documents() {
            for block in text.matches(of: /```swift\n((?s).*?\n)```/) where !block.1.hasPrefix("// Package.swift") {
                #expect(programs.contains(String(block.1)), "\(path): \(block.1.prefix(80))")
                shown.insert(String(block.1))
            }
        }
        #expect(shown == programs && programs.count > 1)
    }

    @Test func `docs/providers/catalog.md is the output of make catalog`() throws {
        let written = try Program.output("'\(Repository.root)/Packaging/catalog-page' '\(Program.folder)/authctl'")
        let isSame = try Repository.text("docs/providers/catalog.md") == written
        #expect(isSame, "run make catalog")
    }

    @Test func `docs/troubleshooting.md has exactly the error codes, each below its exit code`() throws {
        let source = try Repository.text("Sources/AuthCore/Base/ErrorCode.swift")
        let shared = source.split(separator: "// MARK: Codes of the library only")[0]
        var expected: [String: String] = [:]
        for match in shared.matches(of: /static let \w+ = Self\(\s*"([a-z-]+)", exit: (\d+)/) {
            expected[String(match.1)] = String(match.2)
        }
        #expect(expected.count > 60)
        var documented: [String: String] = [:]
        var exit = ""
        for line in try Repository.text("docs/troubleshooting.md").split(separator: "\n") {
            if let match = line.firstMatch(of: #/^## Exit (\d+): /#) { exit = String(match.1) }
            if line.hasPrefix("### ") { documented[String(line.dropFirst(4))] = exit }
        }
        #expect(documented == expected)
    }
}

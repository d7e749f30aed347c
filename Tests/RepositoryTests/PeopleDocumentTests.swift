import FoundationEssentials
import Testing

/// The text of README.md and docs/. `Executed documents` runs their commands.
@Suite struct `README and docs` {
    private static func documents() throws -> [String: String] {
        try Repository.files("docs", suffix: ".md").merging(["README.md": Repository.text("README.md")]) { a, _ in a }
    }

    /// The lines outside of code blocks and of comments for tests.
    private static func prose(_ text: String) -> [Substring] {
        let text = text.replacing(/<!-- setup\n(?s).*?\n-->/, with: "")
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

    @Test func `README.md has at most 135 lines`() throws {
        let lines = try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 135, "\(lines.count) lines")
    }

    @Test func `Lines have at most 118 characters, and tables at most four columns`() throws {
        for (path, text) in try Self.documents() {
            for line in Self.prose(text) where line.count > 118 {
                #expect(line.hasPrefix("|") || line.hasPrefix("<!-- "), "\(path): \(line)")
            }
            for line in Self.prose(text) where line.hasPrefix("|") {
                #expect(line.split(separator: "|").count <= 4, "\(path): \(line)")
            }
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

    @Test func `Each relative link leads to an existing file and heading`() throws {
        let documents = try Self.documents()
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
        "docs/accounts.md#several-accounts", "docs/ci.md#github-actions", "docs/security.md#if-a-secret-was-exposed",
        "docs/tasks/folders.md", "docs/tasks/gateways.md", "docs/tasks/glossary.md", "docs/tasks/json.md",
        "docs/tasks/new-machine.md#a-backup", "docs/tasks/new-machine.md#a-new-machine",
        "docs/tasks/reference.md", "docs/tasks/remove.md#uninstall", "docs/tasks/remove.md#upgrade",
        "docs/tasks/rotate.md", "docs/tasks/sdks.md#aws", "docs/tasks/sdks.md#google-cloud", "docs/tools.md#git",
        "docs/vaults.md#the-desktops-keyring",
    ]

    @Test(arguments: tasks) func `A task is at most two links away from README`(task: String) throws {
        let documents = try Self.documents()
        let parts = task.split(separator: "#").map(String.init)
        let first = Self.links(try #require(documents["README.md"]), from: "README.md").map(\.target)
        let second = first.flatMap { page in documents[page].map { Self.links($0, from: page) } ?? [] }
        #expect((first + second.map(\.target)).contains(parts[0]))
        if parts.count == 2 { #expect(Self.headings(try #require(documents[parts[0]])).contains(parts[1])) }
    }

    /// The files of the project that a document links to.
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

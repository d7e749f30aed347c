import FoundationEssentials
import Testing

@Suite struct `Documents and tests` {
    @Test func `Each folder of test vectors names its source`() throws {
        for folder in try Repository.names(in: "Tests/Vectors") {
            #expect(try Repository.text("Tests/Vectors/\(folder)/SOURCE.md").contains("RFC"), "\(folder)")
        }
    }

    @Test func `Programs, documents and the newest changelog entry have the same version`() throws {
        let changes = try Repository.text("CHANGELOG.md")
        let version = try #require(changes.firstMatch(of: /(?m)^## (\d+\.\d+\.\d+)\b/)?.1)
        #expect(try Repository.text("Sources/authctl/App/Version.swift").contains("text = \"\(version)\""))
        #expect(try Repository.text("Sources/authctl-emulator/Emulator.swift").contains("version: \"\(version)\""))
        for path in ["README.md", "docs/install.md", "docs/ci.md"] {
            for match in try Repository.text(path).matches(of: /authctl(?:-emulator)?[_:-](\d+\.\d+\.\d+)/) {
                #expect(match.1 == version, "\(path): \(match.0)")
            }
        }
    }

    @Test func `A store of each released version is in the tests`() throws {
        let released = try Repository.text("CHANGELOG.md").matches(of: /(?m)^## (\d+\.\d+\.\d+)(?! \(unreleased\))/)
        let stores = try Repository.names(in: "Tests/AuthCoreTests/Store/Stores")
        #expect(released.count >= 2)
        for version in released.map(\.1) { #expect(stores.contains("\(version).sql"), "no store of \(version)") }
    }

    @Test func `Stories read only files of the repository`() throws {
        for (path, text) in try Repository.files("Tests/ScriptTests/Cases", suffix: ".sh") {
            #expect(!text.contains("$ROOT/.."), "\(path)")
        }
    }

    @Test func `A story empties the file of a background process before it waits for a line of it again`() throws {
        for (path, text) in try Repository.files("Tests/ScriptTests/Cases", suffix: ".sh") {
            var written: Set<Substring> = []
            for line in text.split(separator: "\n") {
                if line.hasPrefix("#:") { written = [] }
                // Searches for the words first, because the expressions are slow.
                let command = line.drop(while: \.isWhitespace)
                let emptied = ["rm ", ": >", "mkfifo "].contains(where: command.hasPrefix)
                    ? command.wholeMatch(of: /(?:rm (?:-f )?|: >|mkfifo )([\w.]+).*/)?.1 : nil
                if let emptied { written.remove(emptied) }
                guard line.utf8.contains(UInt8(ascii: ">")) else { continue }
                for file in line.matches(of: /(?:^|[ 2])>([\w.]+)/).map(\.1) where file != emptied {
                    let isAwaited = line.hasSuffix(" &") && text.contains("awaits \(file) ")
                    #expect(!isAwaited || !written.contains(file), "\(path): \(line)")
                    written.insert(file)
                }
            }
        }
    }

    @Test func `Cited documents exist, and issue numbers and design sections are not cited`() throws {
        var texts = try Repository.files("Sources").merging(Repository.files("Tests")) { first, _ in first }
        for suffix in [".sh", ".py", ".md", ".1"] {
            for folder in ["Tests", "man", "Packaging", "Benchmarks", "docs"] {
                texts.merge(try Repository.files(folder, suffix: suffix)) { first, _ in first }
            }
        }
        for name in try Repository.names(in: "") where name.hasSuffix(".md") || name == "Makefile" {
            texts[name] = try Repository.text(name)
        }
        let existing = Set(texts.keys.map { $0.split(separator: "/").last ?? "" })
        for (path, text) in texts where !path.hasSuffix("RepositoryTests/DocumentTests.swift") {
            // Search for the words first, because the expressions are slow.
            for line in text.split(separator: "\n") {
                for match in line.contains(".md") ? line.matches(of: /[\w.\/-]*\w\.md\b/) : [] {
                    let name = match.0.split(separator: "/").last ?? ""
                    #expect(existing.contains(name), "\(path) cites \(match.0)")
                }
                guard line.contains("design") || line.contains("issue") else { continue }
                for match in line.matches(of: /\(?\bdesign:? \d[\d.]*|\bissue #?\d+/) {
                    Issue.record("\(path) cites '\(match.0)'")
                }
            }
        }
    }

    @Test func `Each decision has a number, three sections and a line in the index`() throws {
        let index = try Repository.text("docs/decisions/README.md")
        let pages = try Repository.names(in: "docs/decisions").filter { $0 != "README.md" }
        #expect(20...30 ~= pages.count && index.matches(of: /- \[\d+\]/).count == pages.count)
        for page in pages {
            let lines = try Repository.text("docs/decisions/\(page)").split(separator: "\n")
            let (number, title) = (page.prefix(3), lines.first ?? "")
            #expect(Int(number) != nil && title.hasPrefix("# \(number). "), "\(page)")
            #expect(index.contains("- [\(number)](\(page)) \(title.dropFirst(7))\n"), "\(page)")
            #expect(lines.filter { $0.hasPrefix("##") } == ["## Context", "## Decision", "## Consequences"], "\(page)")
        }
    }

    @Test func `The file that a decision governs names its page, and no file names another page`() throws {
        var named: Set<String> = []
        for place in ["Sources", "Packaging", "Benchmarks"] {
            for text in try Repository.files(place, suffix: "").values {
                named.formUnion(text.matches(of: /docs\/decisions\/(\d+)/).map { String($0.1) })
            }
        }
        let pages = try Repository.names(in: "docs/decisions").filter { $0 != "README.md" }.map { String($0.prefix(3)) }
        #expect(Set(pages) == named && Set(pages).count == pages.count)
    }

    @Test func `The files and types that ARCHITECTURE.md and the decisions name exist`() throws {
        let sources = try Repository.files("Sources").merging(try Repository.files("Tests")) { first, _ in first }
        let files = Set(sources.keys.map { $0.split(separator: "/").last ?? "" })
        let words = Set(sources.values.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        var documents = try Repository.files("docs/decisions", suffix: ".md")
        documents["ARCHITECTURE.md"] = try Repository.text("ARCHITECTURE.md")
        for (path, text) in documents {
            // NAME is a file that the reader adds.
            for match in text.matches(of: /(\w+)\.swift\b/) where !match.1.hasPrefix("NAME") {
                let exists = files.contains(match.0)
                #expect(exists, "\(path) names \(match.0)")
            }
            for match in text.matches(of: /`(?:[A-Z]\w+\.)?([A-Z][a-z]\w+)`/) {
                let exists = words.contains(match.1)
                #expect(exists, "\(path) names \(match.1)")
            }
        }
    }

    @Test func `Test files and suites do not have generic names`() throws {
        for (path, text) in try Repository.files("Tests") {
            let name = path.split(separator: "/").last ?? ""
            #expect(name.wholeMatch(of: /(Group|Misc|Various).*/) == nil, "\(path)")
            for match in text.matches(of: /@Suite[^\n]* struct `?([^`{]+)/) {
                #expect(match.1.firstMatch(of: /^Group |Tests$/) == nil, "\(path): \(match.1)")
            }
        }
    }

    @Test func `A file in RepositoryTests has at most 250 lines`() throws {
        for (path, text) in try Repository.files("Tests/RepositoryTests") {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 250, "\(path)")
        }
    }
}

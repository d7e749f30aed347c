import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Executed documents` {
    /// Commands in documents that a test cannot run, by prefix, and why.
    static let notRun = [
        "sudo apt install ./authctl_": "is run by `make check-image`, in a fresh Debian",
        "sudo dnf install ./authctl-": "is run there too, by Debian's dnf",
        "sha256sum --check": "is run there too",
        "tar xf authctl-": "is run there too",
        "./authctl-": "is run there too",
        "sudo make install": "installs on the machine",
        "docker run": "needs Docker's daemon",
        "docker build": "needs Docker's daemon; `make check-image` runs the steps of the Dockerfile",
        "make ": "is what runs this test, or takes minutes",
    ]

    static let paths: [String] = {
        let docs = (try? FileManager.default.subpathsOfDirectory(atPath: `Script stories`.root + "/docs")) ?? []
        return ["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    /// All documents, or those that AUTHCTL_DOCUMENTS names, separated by commas.
    static let documents: [Document] = {
        let chosen = ProcessInfo.processInfo.environment["AUTHCTL_DOCUMENTS"]?.split(separator: ",").map(String.init)
        return paths.filter { chosen?.contains($0) ?? true }.map { path in
            func text(_ path: String) -> String {
                let data = try? Data(contentsOf: URL(filePath: `Script stories`.root + "/" + path))
                return String(decoding: data ?? Data(), as: UTF8.self)
            }
            return Document(path, text(path), setup: text(path.replacing(/md$/, with: "setup"))) { command in
                notRun.keys.contains { command.hasPrefix($0) }
            }
        }
    }()

    @Test func `The console blocks, files and setup of a document become stories`() {
        let document = Document(
            "README.md",
            """
            # Text
            Text, and `code`.
            ```console
            $ echo "it's" \\
                a b
            it's …
            $ make coffee
            ```
            ```yaml file=d/a.yaml
            a: 1
            ```
            ```console
            $ cat d/a.yaml
            ```
            ```bash
            rm -rf /
            ```
            """,
            setup: """
                == # Text
                play github.com

                == ```yaml file=d/a.yaml
                story: Another one.
                == $ cat d/a.yaml
                types: Name: =ada | [Y/n]=y

                == $ cat
                ==
                the end

                """, withoutRunning: { $0.hasPrefix("make ") })
        #expect(document.stories.map(\.sentence) == [nil, "Another one."])
        let begin = ". \"$ROOT/Tests/ScriptTests/documents.sh\"\n"
        #expect(
            document.stories[0].script == begin + """
                play github.com
                shown 'README.md:4' 'echo "it'\\''s" \\
                    a b' 'it'\\''s …'
                answers=()

                """)
        #expect(
            document.stories[1].script == begin + """
                mkdir -p "$(dirname d/a.yaml)"; printf '%s\\n' 'a: 1' >d/a.yaml
                answers=('Name: =ada' '[Y/n]=y')
                shown 'README.md:13' 'cat d/a.yaml' ''
                answers=()
                the end

                """)
        #expect(document.problems.count == 2 && document.problems[0].hasPrefix("README.md:15: "))
        #expect(document.problems.last == "README.md: there is no line '$ cat' for its setup")
    }

    @Test func `Documents exist, are well-formed and have unique story names`() {
        #expect(Self.paths.count > 15)
        for problem in Self.documents.flatMap(\.problems) { Issue.record("\(problem)") }
        let names = Self.documents.flatMap(\.stories).map(\.testDescription)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: documents.flatMap(\.stories))
    func `Commands in documents print what the document shows`(story: Story) async {
        await `Script stories`.gate.enter()
        let result = await OwnThread.run { Shell.run(story) }
        await `Script stories`.gate.leave()
        #expect(result.status == 0, "\(story.testDescription):\n\(result.output)")
    }
}

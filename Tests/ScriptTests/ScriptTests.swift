import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The cases in `Cases`, each a script over the built programs, readable as documentation.
@Suite(.serialized) struct `Script cases` {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let folder = root + "/Tests/ScriptTests"

    static let cases: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/Cases")) ?? []
        return names.filter { $0.hasSuffix(".sh") }.sorted()
    }()

    @Test func `there are cases`() {
        #expect(Self.cases.count >= 10)
    }

    @Test(arguments: cases)
    func `the case runs as it is written`(name: String) async throws {
        let result = await OwnThread.run { Shell.run(case: name) }
        #expect(result.status == 0, "\(name):\n\(result.output)")
    }
}

enum Shell {
    /// Runs one case in a new directory, for at most five minutes; returns its status and what it printed.
    static func run(case name: String) -> (status: Int32, output: String) {
        var template = Array("/tmp/authctl-case.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return (-1, "no temporary directory") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let folder = `Script cases`.folder
        let script = """
            cd '\(directory)' && mkdir run && cd run && \
            ROOT='\(`Script cases`.root)' BIN='\(programs)' CASES='\(folder)/Cases' \
            timeout --kill-after=10 300 bash -c '. "$1" && . "$2"' case '\(folder)/lib.sh' '\(folder)/Cases/\(name)' \
            >'\(directory)/output' 2>&1 </dev/null
            """
        let words: [String] = ["/bin/sh", "-c", script]
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0 else { return (-1, "no shell") }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let bytes = (try? Data(contentsOf: URL(filePath: directory + "/output"))) ?? Data()
        return (status, String(decoding: bytes.suffix(6000), as: UTF8.self))
    }

    /// Where the built programs are: beside the test bundle, unless AUTHCTL_BIN names another place.
    static var programs: String {
        ProcessInfo.processInfo.environment["AUTHCTL_BIN"]
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }
}

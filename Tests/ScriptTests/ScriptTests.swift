import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A script, or one part of a script. Each part starts with `#: A sentence.` and runs separately, after the lines
/// before the first part.
struct Story: Sendable, CustomTestStringConvertible {
    let file: String
    let sentence: String?
    let script: String
    /// The account directory that the story uses: `local` or `firebase`.
    var directory = "local"
    /// Whether the story runs in a private network.
    var ownNetwork = false

    var testDescription: String {
        let place = directory == "local" ? "" : " [\(directory)]"
        return (sentence.map { "\(file): \($0)" } ?? file) + place
    }

    /// This story, or two stories if it runs on both directories.
    private var onEachDirectory: [Story] {
        guard script.contains("# Runs on both directories."), !script.contains("# Local directory only") else {
            return [self]
        }
        var other = self
        other.directory = "firebase"
        return [self, other]
    }

    /// The stories of a file below `Cases`.
    static func all(in file: String, _ text: String) -> [Story] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0].hasPrefix("#: ") }
        guard let first = starts.first else {
            return Story(file: file, sentence: nil, script: text).onEachDirectory
        }
        return zip(starts, starts.dropFirst() + [lines.endIndex]).flatMap { start, end in
            Story(
                file: file, sentence: String(lines[start].dropFirst(3)),
                script: (lines[..<first] + lines[start..<end]).joined(separator: "\n") + "\n"
            ).onEachDirectory
        }
    }
}

/// Runs the scripts below `Cases`, which use the built programs and can be read as documentation.
@Suite struct `Script stories` {
    /// Runs five stories in parallel, because stories mostly wait for other processes.
    static let gate = Gate(5)

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let folder = root + "/Tests/ScriptTests"

    /// All stories, those of the files in AUTHCTL_STORIES (names without folders, separated by commas), or the story with the description in
    /// STORY.
    static let stories: [Story] = {
        let environment = ProcessInfo.processInfo.environment
        let chosen = environment["AUTHCTL_STORIES"]?.split(separator: ",")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder + "/Cases")) ?? []
        let files = paths.filter { $0.hasSuffix(".sh") }.map { URL(filePath: folder + "/Cases/" + $0) }
            .filter { chosen?.contains($0.lastPathComponent[...]) ?? true }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        let stories = files.flatMap { file in
            Story.all(
                in: file.lastPathComponent, String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self))
        }
        return stories.filter { environment["STORY"] == nil || $0.testDescription == environment["STORY"] }
    }()

    @Test func `Stories exist, and their sentences are unique`() {
        let environment = ProcessInfo.processInfo.environment
        let isSome = environment["AUTHCTL_STORIES"] != nil || environment["STORY"] != nil
        #expect(isSome ? !Self.stories.isEmpty : Self.stories.count >= 40)
        #expect(Set(Self.stories.map(\.testDescription)).count == Self.stories.count)
    }

    @Test(arguments: stories)
    func `Each story passes`(story: Story) async throws {
        await Self.gate.enter()
        let result = await OwnThread.run { Shell.run(story) }
        await Self.gate.leave()
        #expect(result.status == 0, "\(story.testDescription):\n\(result.output)")
    }
}

/// Limits the number of stories that run in parallel.
actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ free: Int) { self.free = free }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

enum Shell {
    /// The time limit of a story in seconds, for a busy machine.
    private static let limit = 900

    /// Runs one story in a new directory. Returns its status and its output.
    static func run(_ story: Story) -> (status: Int32, output: String) {
        guard let temporary = try? TemporaryFolder() else { return (-1, "no temporary directory") }
        let directory = temporary.path
        defer { withExtendedLifetime(temporary) {} }
        let folder = `Script stories`.folder
        guard (try? Data(story.script.utf8).write(to: URL(filePath: directory + "/story.sh"))) != nil else {
            return (-1, "no script")
        }
        // Closes inherited descriptors, so that a story has only the standard three.
        let close = #"for fd in /proc/$$/fd/*; do [ ${fd##*/} -le 2 ] || eval "exec ${fd##*/}>&-"; done"#
        // A clean environment without the developer's settings. The story is terminated if this process is killed.
        let script = """
            cd '\(directory)' && mkdir run && cd run && \
            exec env -i PATH='\(tools)':"$PATH" TMPDIR='\(directory)' LANG=C.UTF-8 USER='\(user)' LOGNAME='\(user)' \
            ${SEED:+"SEED=$SEED"} ${BRIDGES_SECONDS:+"BRIDGES_SECONDS=$BRIDGES_SECONDS"} ${DOCUMENTS_SHOW:+"DOCUMENTS_SHOW=$DOCUMENTS_SHOW"} ${SDK_SECONDS:+"SDK_SECONDS=$SDK_SECONDS"} ${SDK_LIFE:+"SDK_LIFE=$SDK_LIFE"} DIRECTORY=\(story.directory) ROOT='\(`Script stories`.root)' BIN='\(programs)' KEYS='\(programs)/test-keys' PORTS='\(ports)' CASES='\(folder)/Cases' \
            \(story.ownNetwork ? network : "") setpriv --pdeathsig TERM \
            timeout --kill-after=10 \(limit) bash -c '\(close); . "$1" && . "$2"' case '\(folder)/lib.sh' '\(directory)/story.sh' \
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

    /// The command prefix that gives a story a private network, if the kernel allows that to this user.
    private static let network =
        ["unshare --net", "unshare --net --map-root-user"].first { command in
            Shell.succeeds("\(command) true 2>/dev/null")
        } ?? ""

    /// A directory with a `python3` that starts the interpreter directly, because a launcher in PATH is slower. It does
    /// not load installed packages.
    private static let tools: String = {
        let (folder, path) = (programs + "/test-tools", output(of: "python3 -c 'import sys; print(sys.executable)'"))
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/python3"
        try? Data("#!/bin/sh\nexec '\(path)' -S \"$@\"\n".utf8).write(to: URL(filePath: file), options: .atomic)
        chmod(file, 0o755)
        return folder
    }()

    /// A directory with an entry for each port that a story of this run uses, so that no two stories use the same port.
    private static let ports: String = {
        let folder = programs + "/test-ports"
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }()

    private static let user = output(of: "id -un")

    private static func output(of line: String) -> String {
        guard let pipe = popen(line, "r") else { return "" }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard fgets(&line, Int32(line.count), pipe) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func succeeds(_ line: String) -> Bool {
        guard let pipe = popen(line, "r") else { return false }
        return pclose(pipe) == 0
    }

    /// The built programs: AUTHCTL_BIN, or beside the test bundle.
    static var programs: String {
        ProcessInfo.processInfo.environment["AUTHCTL_BIN"]
            ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    }
}

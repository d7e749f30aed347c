import FoundationEssentials
import Glibc
import Testing

@testable import AuthCore

@Suite struct `System configuration files` {
    private let folder: StoreFolder
    private let files = TrustedPath(owners: [0, geteuid()], trustsOwnerOfRoot: false)
    private var root: String { folder.directory.path }

    init() throws { folder = try StoreFolder() }

    private func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws {
        let path = root + "/" + name
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        try #require(fchmod(file, mode) == 0)
    }

    private func read() -> SystemConfiguration { SystemConfiguration(in: root, files) }

    private func entry(_ id: String, _ client: String) -> String {
        "providers: {\(id): {issuer: 'https://id.example.com', client_id: \(client)}}\n"
    }

    @Test func `A missing system configuration directory is not an error`() {
        let none = SystemConfiguration(in: root + "/nowhere", files)
        #expect(none.ids.isEmpty && none.problems.isEmpty && none.paths.isEmpty)
    }

    @Test func `A link to a file that does not exist is reported`() throws {
        mkdir(root + "/conf.d", 0o755)
        try #require(symlink("gone.yaml", root + "/conf.d/10.yaml") == 0)
        try write("conf.d/20.yaml", entry("oidc.a", "first"))
        let read = read()
        #expect(read.ids == ["oidc.a"] && read.problems.map(\.path) == [root + "/conf.d/10.yaml"])
        #expect(read.problems.first?.fault == .file(.system(code: ENOENT)))
    }

    @Test func `config.yaml and conf.d are read in order, and later providers replace earlier ones`() throws {
        try write("config.yaml", entry("oidc.a", "first") + "# the end\n")
        mkdir(root + "/conf.d", 0o755)
        try write(
            "conf.d/20.yaml",
            "providers:\n  oidc.b: {issuer: 'https://b.example', client_id: b}\n  oidc.a:\n    issuer: https://id.example.com\n    client_id: third\n"
        )
        try write(
            "conf.d/10.yaml", "providers:\n  oidc.a: {issuer: 'https://id.example.com', client_id: s, scopes: [x]}\n")
        for other in ["conf.d/30.yaml.dpkg-new", "conf.d/.40.yaml", "conf.d/README"] { try write(other, "no: [") }
        let read = read()
        #expect(read.problems.isEmpty && read.ids == ["oidc.b", "oidc.a"])
        #expect(read["oidc.a"]?.provider.clientID == "third" && read["oidc.a"]?.provider.scopes != ["x"])
        #expect(read["oidc.a"]?.place == SystemConfiguration.Place(path: root + "/conf.d/20.yaml", line: 3))
        // Unlike a provider in the format of 0.1.0, this provider has a separate redirect path.
        #expect(read["oidc.a"]?.provider.redirectPath == "/callback/oidc.a")
    }

    @Test(
        arguments: [
            ("a: [", nil, .content(.yaml(YAMLProblem(position: .init(line: 2, column: 1), reason: .notYAML)))),
            ("[1]", nil, .content(.notAMapping(.top))), ("x: 1\nproviders: 1", 2, .content(.notAMapping(.providers))),
            ("profiles: {default: {}}", 1, .profiles),
            ("providers:\n  github.com:\n    client_id: c\n    client_secret: s", 4, .secret("client_secret")),
            ("providers: {oidc.a: {params:\n {Access-Token: s}}}", 2, .secret("Access-Token")),
            ("x:\n- {key: '-----BEGIN PRIVATE KEY-----'}", 2, .secret("key")),
        ] as [(String, Int?, SystemConfigurationError.Fault)])
    func `An invalid file is reported with its line, and the other files are used`(
        text: String, line: Int?, fault: SystemConfigurationError.Fault
    ) throws {
        try write("config.yaml", text)
        mkdir(root + "/conf.d", 0o755)
        try write("conf.d/a.yaml", entry("oidc.other", "c"))
        let read = read()
        #expect(read.ids == ["oidc.other"] && read.problems.count == 1)
        let problem = try #require(read.problems.first)
        #expect(problem.path == root + "/config.yaml" && problem.line == line && problem.provider == nil)
        if case .content(.yaml) = fault { return }
        #expect(problem.fault == fault)
        #expect(read.problem(of: "oidc.any") == problem)
    }

    @Test(
        arguments: [
            (
                "oidc.bad: {issuer: 'http//x', client_id: c}",
                .setting("oidc.bad: issuer", .notHTTPSURL(ServerText("http//x")))
            ),
            (
                "oidc.bad: {isuer: 'https://x.example', client_id: c}",
                .setting("oidc.bad", .misspelled("issuer", as: "isuer", line: 3))
            ),
            ("oidc.bad: 1", .content(.notAMapping(.provider("oidc.bad")))),
        ] as [(String, SystemConfigurationError.Fault)])
    func `An invalid provider is reported and skipped, and the others are used`(
        text: String, fault: SystemConfigurationError.Fault
    ) throws {
        try write("config.yaml", "providers:\n  oidc.a: {issuer: 'https://a.example', client_id: c}\n  \(text)\n")
        let read = read()
        #expect(read.ids == ["oidc.a"] && read.problems.map(\.fault) == [fault])
        #expect(read.problems.map(\.line) == [3] && read.problem(of: "oidc.bad") != nil)
        #expect(read.problem(of: "oidc.a") == nil)
    }

    @Test func `Files and directories that other users can write are reported and ignored`() throws {
        try write("config.yaml", entry("oidc.a", "c"), mode: 0o664)
        #expect(read().problems.map(\.fault) == [.file(.writable(mode: 0o664))])
        try write("config.yaml", entry("oidc.a", "c"))
        #expect(read().ids == ["oidc.a"])
        chmod(root, 0o1777)
        #expect(read().problems == [SystemConfigurationError(path: root, fault: .file(.writable(mode: 0o1777)))])
        chmod(root, 0o755)
        mkdir(root + "/conf.d", 0o755)
        chmod(root + "/conf.d", 0o775)
        #expect(read().problems.map(\.path) == [root + "/conf.d"] && read().ids == ["oidc.a"])
        // The owner of a directory can replace its files.
        guard geteuid() == 0 else { return }
        chmod(root + "/conf.d", 0o755)
        chown(root + "/..", 65534, 65534)
        #expect(read().problems.map(\.fault) == [.file(.owner(65534))] && read().ids.isEmpty)
    }

    @Test func `A file can be a symbolic link, but not through a directory that other users can write`() throws {
        mkdir(root + "/real", 0o755)
        try write("real/config.yaml", entry("oidc.a", "c"))
        symlink("real/../real/./config.yaml", root + "/config.yaml")
        #expect(read().ids == ["oidc.a"] && read().problems.isEmpty)
        chmod(root + "/real", 0o777)
        #expect(read().ids.isEmpty && read().problems.map(\.path) == [root + "/real"])
        unlink(root + "/config.yaml")
        symlink(root + "/config.yaml", root + "/config.yaml")
        #expect(read().problems.map(\.fault) == [.file(.system(code: ELOOP))])
        unlink(root + "/config.yaml")
        mkdir(root + "/config.yaml", 0o755)
        #expect(read().problems.map(\.fault) == [.file(.otherKind)])
        rmdir(root + "/config.yaml")
        mkfifo(root + "/config.yaml", 0o644)
        #expect(read().problems.map(\.fault) == [.file(.otherKind)])
    }

    @Test func `Reading the configuration leaves no file descriptor open`() throws {
        try write("config.yaml", entry("oidc.a", "c"))
        for _ in 0..<3 { _ = read() }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        #expect(!open.isEmpty && !open.contains { $0.hasPrefix(root) })
    }

    @Test func `A misspelled key is reported with its line`() throws {
        try write(
            "config.yaml",
            "provider: {}\nproviders: {oidc.a: {issuer: 'https://a.example', client_id: c, scops: [x]}}\n")
        let keys = read().unknownKeys
        #expect(keys.map(\.key.suggestion) == [nil, "scopes"] && keys.map(\.key.line) == [1, 2])
    }

    @Test func `A file that is too long or has an impossible path is reported, and a missing directory is empty`()
        throws
    {
        let limit = SystemConfiguration.fileLimit
        try write("big", String(repeating: "x", count: limit + 1))
        #expect(throws: PathFault(path: root + "/big", .tooLong(limit: limit))) {
            try files.read(root + "/big", limit: limit)
        }
        #expect(throws: PathFault(path: "/", .otherKind)) { try files.read("/", limit: limit) }
        let long = root + "/" + String(repeating: "x", count: 300)
        #expect(throws: PathFault(path: long, .system(code: ENAMETOOLONG))) { try files.read(long, limit: limit) }
        #expect(try files.names(in: root + "/none") == nil)
        #expect(!SystemConfiguration.exists(at: root + "/big/x") && SystemConfiguration.exists(at: root + "/big"))
    }

    @Test(.enabled(if: geteuid() == 0)) func `A file or directory that this user cannot read is reported`() async throws
    {
        try write("secret", "x", mode: 0o600)
        try #require(mkdir(root + "/closed", 0o711) == 0)
        try #require(chmod(root, 0o755) == 0 && chmod(root + "/..", 0o755) == 0)
        let (files, root) = (self.files, self.root)
        let (file, names): (Result<[UInt8]?, any Error>, Result<[String]?, any Error>) = try await OwnSystem.asNobody {
            (Result { try files.read(root + "/secret", limit: 10) }, Result { try files.names(in: root + "/closed") })
        }
        #expect(throws: PathFault(path: root + "/secret", .system(code: EACCES))) { try file.get() }
        #expect(throws: PathFault(path: root + "/closed", .system(code: EACCES))) { try names.get() }
    }
}

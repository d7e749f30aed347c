import AuthCore

/// authctl's command in another tool's settings.
struct HelperCommand: Equatable {
    let words: [String]
    var program: String { words[0] }
    /// The words after the tool's name.
    var options: [String] { Array(words.dropFirst(3)) }

    init?(_ tool: String, _ words: [String]) {
        let start = words.indices.dropLast(2).first { index in
            HelperCommand.isAuthctl(words[index]) && words[index + 1] == "credential" && words[index + 2] == tool
        }
        guard let start else { return nil }
        self.words = Array(words[start...])
    }

    init?(_ tool: String, shell line: some StringProtocol) {
        guard let words = Shell.split(String(line)) else { return nil }
        self.init(tool, words)
    }

    private static func isAuthctl(_ program: String) -> Bool {
        program == Process.path || program.split(separator: "/").last?.contains("authctl") == true
    }
}

enum GitHelper {
    static func command(_ helper: String) -> HelperCommand? {
        helper.hasPrefix("!") ? HelperCommand("git", shell: helper.dropFirst()) : nil
    }

    /// The section that is appended for a host. The empty helper makes git ignore earlier helpers, which would store
    /// the token.
    static func section(_ root: String, _ helper: String) -> [String] {
        ["[credential \"\(root)\"]", "\thelper =", "\thelper = \(value(helper))"]
    }

    static func value(_ value: String) -> String {
        let escapes: [Character: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\t": "\\t"]
        return "\"" + value.map { escapes[$0] ?? String($0) }.joined() + "\""
    }

    /// The key in which version 0.2.0 stored the former value: for `credential.URL.helper`,
    /// `credential.URL.authctlformer`.
    static func former(_ key: String) -> String { String(key.dropLast("helper".count)) + "authctlformer" }
}

/// A key of git's configuration that has authctl's helper.
struct GitEntry {
    let key: String
    let values: [String]
    let index: Int
    let command: HelperCommand

    init?(key: String, values: [String]) {
        guard let index = values.firstIndex(where: { GitHelper.command($0) != nil }),
            let command = GitHelper.command(values[index])
        else { return nil }
        (self.key, self.values, self.index, self.command) = (key, values, index, command)
    }

    /// The URL of the host.
    var root: String { String(key.dropFirst("credential.".count).dropLast(".helper".count)) }
    /// The value for `--host`.
    var host: String { root.hasPrefix("https://") ? String(root.dropFirst("https://".count)) : root }
}

enum DockerHelper {
    static let program = "docker-credential-authctl"
    static let mark = "# Made by authctl credential install docker."
    private static let note = "# before: "

    /// The comment lines with the former helpers of registries. Lines that the file already has are preserved.
    static func notes(_ former: [(registry: String, helper: String)], keeping file: [UInt8]) -> String {
        var retained = DockerHelper.former(in: file)
        for (registry, helper) in former { retained[registry] = helper }
        return retained.sorted { $0.key < $1.key }.map { "\(note)\($0.key) \($0.value)\n" }.joined()
    }

    static func former(in file: [UInt8]) -> [String: String] {
        var found: [String: String] = [:]
        for line in String(decoding: file, as: UTF8.self).split(separator: "\n") where line.hasPrefix(note) {
            let words = line.dropFirst(note.count).split(separator: " ")
            if words.count == 2 { found[String(words[0])] = String(words[1]) }
        }
        return found
    }

    static func isName(_ helper: String) -> Bool { !helper.isEmpty && helper.hasOnlyLettersAndDigits(or: "._-+") }

    static func isFromAuthctl(_ file: [UInt8]) -> Bool {
        String(decoding: file, as: UTF8.self).split(separator: "\n").dropFirst().first == mark[...]
    }

    static func command(in file: [UInt8]) -> HelperCommand? {
        String(decoding: file, as: UTF8.self).split(separator: "\n").last { $0.hasPrefix("exec ") }
            .flatMap { HelperCommand("docker", shell: $0) }
    }
}

import AuthCore

/// Our helper in git's settings.
enum GitHelper {
    static func isFromAuthctl(_ helper: String) -> Bool {
        helper.hasPrefix("!") && helper.contains("authctl credential git")
    }

    /// The section that is appended for a host. The empty helper makes git ignore the helpers before it, which would store
    /// the token.
    static func section(_ root: String, _ helper: String) -> [String] {
        ["[credential \"\(root)\"]", empty, "\thelper = \(value(helper))"]
    }
    static let empty = "\thelper ="

    static func value(_ value: String) -> String {
        let escapes: [Character: String] = ["\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\t": "\\t"]
        return "\"" + value.map { escapes[$0] ?? String($0) }.joined() + "\""
    }

    /// Where version 0.2.0 wrote what a key had before: `credential.URL.helper` became `credential.URL.authctlformer`.
    static func former(_ key: String) -> String { String(key.dropLast("helper".count)) + "authctlformer" }
}

/// Our program for docker.
enum DockerHelper {
    static let program = "docker-credential-authctl"
    static let mark = "# Made by authctl credential install docker."
    private static let note = "# before: "

    /// The lines that say what registries had before: new ones, and those that the file says already.
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

    static func isName(_ helper: String) -> Bool {
        !helper.isEmpty && helper.hasOnlyLettersAndDigits(or: "._-+")
    }

    static func isFromAuthctl(_ file: [UInt8]) -> Bool {
        String(decoding: file, as: UTF8.self).split(separator: "\n").dropFirst().first == mark[...]
    }
}

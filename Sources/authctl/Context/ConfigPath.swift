import Glibc

/// Where everything is kept.
enum ConfigPath {
    /// - Parameter flag: what the command names.
    /// - Throws: `ConfigurationProblem`.
    static func of(_ flag: String?, _ environment: [String: String]) throws -> String {
        if let flag = flag ?? environment["AUTHCTL_CONFIG_DIR"], !flag.isEmpty {
            return flag.hasPrefix("/") ? flag : currentDirectory() + "/" + flag
        }
        // A relative XDG path is to be ignored (XDG Base Directory Specification).
        if let xdg = environment["XDG_CONFIG_HOME"], xdg.hasPrefix("/") { return xdg + "/authctl" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/authctl" }
        guard let entry = getpwuid(geteuid()), let directory = entry.pointee.pw_dir else {
            throw ConfigurationProblem("this user has no home directory", hint: "set AUTHCTL_CONFIG_DIR")
        }
        return String(cString: directory) + "/.config/authctl"
    }

    /// A path that somebody typed, so that it is the same file wherever it is read from: `~/` is the home directory.
    static func absolute(_ typed: String, _ environment: [String: String]) -> String {
        if typed.hasPrefix("~/"), let home = environment["HOME"] { return home + typed.dropFirst() }
        return typed.hasPrefix("/") ? typed : currentDirectory() + "/" + typed
    }

    private static func currentDirectory() -> String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }
}

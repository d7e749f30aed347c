import AuthCore

/// The path of the configuration directory.
enum ConfigPath {
    static func of(_ flag: String?, _ environment: Environment) throws -> String {
        if let typed = flag ?? environment["AUTHCTL_CONFIG_DIR"], typed.hasPrefix("~/") {
            let (code, source): (ErrorCode, String) =
                flag == nil ? (.invalidConfiguration, "AUTHCTL_CONFIG_DIR") : (.usage, "--config-dir")
            throw CommandError(
                code, "\(source) begins with ~/, which no shell has expanded: '\(shown: typed)'",
                hint: "use the path itself: \(environment.home + typed.dropFirst())", isComplete: true)
        }
        guard let path = ConfigDirectory.defaultPath(flag, environment) else {
            throw CommandError(.invalidConfiguration, "this user has no home directory", hint: "set AUTHCTL_CONFIG_DIR")
        }
        return path
    }

    /// Makes a typed path absolute, so that later runs find the same file: `~/` is the home directory.
    static func absolute(_ typed: String, _ environment: Environment) -> String {
        if typed.hasPrefix("~/"), let home = environment["HOME"] { return home + typed.dropFirst() }
        return ConfigDirectory.absolute(typed)
    }
}

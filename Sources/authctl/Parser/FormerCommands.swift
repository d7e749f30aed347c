/// Commands whose work others do now. They work as before; no list and no completion shows them.
enum FormerCommands {
    static let paths: Set = [
        "setup", "credential", "whoami", "pending", "accounts list", "accounts show",
        "providers check",
        "providers discover",
    ]

    /// Names of commands in former versions, and their names now.
    private static let renamed = [
        "credential install": "use", "credential list": "use", "credential uninstall": "use --remove",
        "profile lock": "vault lock", "profile unlock": "vault unlock",
    ]

    /// The arguments with the command's present name.
    static func renamed(in arguments: [String]) -> [String] {
        let start = arguments.first == "help" ? 1 : 0
        guard arguments.count >= start + 2,
            let name = renamed[arguments[start..<start + 2].joined(separator: " ")]
        else { return arguments }
        return arguments[..<start] + name.split(separator: " ").map(String.init) + arguments[(start + 2)...]
    }
}

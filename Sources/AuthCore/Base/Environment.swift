import Glibc

/// The environment variables of a process. An empty variable counts as not set.
package struct Environment: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package private(set) var variables: [String: String]

    package init(_ variables: [String: String]) { self.variables = variables }

    package init(dictionaryLiteral elements: (String, String)...) {
        variables = Dictionary(elements) { _, last in last }
    }

    package subscript(name: String) -> String? {
        get { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { variables[name] = newValue }
    }

    /// Whether the variable is set and does not mean "off".
    package func isOn(_ name: String) -> Bool {
        self[name].map { !["0", "false", "no", "off"].contains($0.lowercased()) } ?? false
    }

    package var searchPath: [String] { (self["PATH"] ?? "").split(separator: ":").map(String.init) }

    /// A path with `~` instead of the home directory.
    package func shortened(_ path: String) -> String {
        path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    /// The home directory; empty if the user has none. A relative path is ignored.
    package var home: String {
        if let home = self["HOME"], home.hasPrefix("/") { return home }
        return getpwuid(geteuid())?.pointee.pw_dir.map { String(cString: $0) } ?? ""
    }

    package func without(_ isDropped: (_ name: String) -> Bool) -> Environment {
        Environment(variables.filter { !isDropped($0.key) })
    }
}

import AuthCore
import CBuild

/// The versions of authctl and its libraries.
enum Version {
    static let text = "0.3.0"

    static var commit: String? { cbuild_commit().map { String(cString: $0) } }

    private static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #else
            "6.3"
        #endif
    }

    static let packages = [
        (name: "swift-argument-parser", version: "1.8.2"), (name: "swift-log", version: "1.16.2"),
    ]

    static var lines: [String] {
        [
            "authctl \(text)" + (commit.map { " (\($0))" } ?? ""), "Swift \(swift)", LibraryVersions.openSSL,
            LibraryVersions.curl.map { "libcurl \($0)" } ?? "libcurl: missing, or not built with OpenSSL",
            "SQLite \(LibraryVersions.sqlite)",
        ] + packages.map { "\($0.name) \($0.version)" }
    }
}

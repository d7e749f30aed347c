import Glibc

/// A repository on a server: the host and path of a git remote's URL.
struct GitRemote: Sendable, Equatable {
    static let accountSetting = "authctl.account"

    /// `host/path`, in lower case and without `.git`.
    let name: String

    /// Parses `https://host/path.git`, `ssh://user@host:port/path` or `user@host:path`. Nil for URLs that programs
    /// could parse differently.
    init?(_ url: String) {
        guard !url.contains(where: { "#?%\\\n".contains($0) }) else { return nil }
        var rest = Substring(url)
        if let scheme = rest.firstRange(of: "://") {
            guard ["https", "http", "ssh", "git"].contains(rest[..<scheme.lowerBound]) else { return nil }
            rest = rest[scheme.upperBound...]
        } else {
            guard let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/") else { return nil }
            rest = "\(rest[..<colon])/\(rest[rest.index(after: colon)...])"
        }
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let authority = rest[..<slash].split(separator: "@", omittingEmptySubsequences: false)
        let parts = authority.last?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        guard authority.count <= 2, let host = parts.first, parts.count <= 2,
            parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isNumber) })
        else { return nil }
        let path = rest[slash...].split(separator: "/")
        guard !host.isEmpty, !path.isEmpty, !path.contains("."), !path.contains("..") else { return nil }
        let name = "\(host)/\(path.joined(separator: "/"))".lowercased()
        self.name = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
    }

    /// Whether a pattern can match a remote: a host, and a path in which `**` is only the last segment.
    static func isPattern(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, !text.hasSuffix(".git"), !text.contains(where: { "@:[]?#%\\".contains($0) }),
            let host = parts.first, !host.contains("*")
        else { return false }
        return parts.enumerated().allSatisfy { index, part in
            !part.isEmpty && part != "." && part != ".."
                && (!part.contains("**") || part == "**" && index == parts.count - 1)
        }
    }

    /// `*` matches any part of a path segment, and a final `**` one or more segments.
    func matches(_ pattern: String) -> Bool {
        let wanted = pattern.lowercased().split(separator: "/")
        let parts = name.split(separator: "/")
        let isOpen = wanted.last == "**"
        guard isOpen ? parts.count >= wanted.count : parts.count == wanted.count else { return false }
        return zip(isOpen ? wanted.dropLast() : wanted[...], parts).allSatisfy {
            fnmatch(String($0), String($1), 0) == 0
        }
    }
}

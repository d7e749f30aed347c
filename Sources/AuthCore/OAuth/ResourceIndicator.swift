/// Resources by their URLs (RFC 8707 section 2, RFC 9728 section 1.2): sent byte for byte as they were named, and compared
/// as requests to them are.
extension HTTPURL {
    /// Whether a request to `url` is one to this resource: the same origin, and its path or one below it.
    ///
    /// RFC 9728 section 3.3 wants both to be identical. That a resource also stands for what is below it is from
    /// draft-mcguinness-oauth-rfc9728bis, and what servers do that protect a whole host by one document.
    package func covers(_ url: HTTPURL) -> Bool {
        guard origin == url.origin, !url.hasDotSegments, !hasDotSegments else { return false }
        if let query, url.path != path || url.query != query { return false }
        // An empty path is sent as a slash (RFC 9110 section 4.2.3).
        let own = path.isEmpty ? "/" : path
        let other = url.path.isEmpty ? "/" : url.path
        return own == other || other.utf8.starts(with: (own.hasSuffix("/") ? own : own + "/").utf8)
    }

    /// A path that means another one once `.` and `..` are taken out of it, in whatever spelling.
    var hasDotSegments: Bool {
        path.split(separator: "/").contains { segment in
            let plain = segment.lowercased().replacing("%2e", with: ".")
            return plain == "." || plain == ".."
        } || path.lowercased().contains("%2f") || path.lowercased().contains("%5c")
    }

    /// Where this resource's own metadata may be, the narrowest first: inserted before the path, then for the whole host
    /// (RFC 9728 section 3.1).
    var resourceMetadataURLs: [HTTPURL] {
        let wellKnown = "/.well-known/oauth-protected-resource"
        let tail = path + (query.map { "?" + $0 } ?? "")
        let head = text.dropLast(tail.count) + wellKnown
        let narrow = path == "/" ? String(tail.dropFirst()) : tail
        return (narrow.isEmpty ? [""] : [narrow, ""]).compactMap { try? HTTPURL(head + $0) }
    }
}

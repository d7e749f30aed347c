import AuthCore

/// Bodies that are only forwarded if the user allows them.
enum ProxyBody: String, CaseIterable { case get, form }

/// Parameters of queries and forms with which some servers replace the token, the user or the method that the proxy has
/// chosen (RFC 6750 sections 2.2 and 2.3).
enum ProxyForm {
    private static let refused: Set<String> = [
        "access_token", "bearer_token", "job_token", "oauth_token", "private_token", "sudo", "_method",
    ]

    /// Refuses these parameters, and names that servers could decode in different ways.
    static func check(query: String) throws(ProxyRefusal) {
        // Some servers separate parameters by semicolons.
        for (name, value) in FormURLEncoded.decodeEach(query.replacing(";", with: "&").utf8) {
            // Facebook's override of the method.
            let isMethod = name == "method" && value.flatMap { HTTPRequest.Method(rawValue: $0.uppercased()) } != nil
            guard let name, !isMethod else { throw ProxyRefusal(403, .parameterNotForwarded(name ?? "%")) }
            try check(name: name)
        }
    }

    /// Names are compared as PHP changes them: without spaces at the beginning, up to a NUL or an index.
    private static func check(name: String) throws(ProxyRefusal) {
        let text = name.trimmingSpaces().prefix { $0 != "\0" }.lowercased()
        let spellings = [text.prefix { $0 != "[" }.description, String(text.map { ". [".contains($0) ? "_" : $0 })]
        if spellings.contains(where: refused.contains) { throw ProxyRefusal(403, .parameterNotForwarded(name)) }
    }

    /// If servers read the body as a form, refuses these parameters as its fields, and a form that cannot be read here
    /// as servers do.
    ///
    /// - Parameter isWhole: whether `request` has the whole body.
    static func check(_ request: HTTPRequest, isWhole: Bool) throws(ProxyRefusal) {
        let (type, coding) = (request.field("content-type"), request.field("content-encoding"))
        // Rack also reads a POST without a media type as a form.
        guard type.isEmpty ? request.method == .post : type.contains("form-urlencoded") || type.contains("multipart/")
        else { return }
        let isUTF8 = !type.contains("charset") || type.contains("utf-8")
        guard isWhole, !type.isEmpty, ["", "identity"].contains(coding), isUTF8
        else { throw ProxyRefusal(403, .bodyNotForwarded(isForm: true)) }
        let text = String(decoding: request.body ?? [], as: UTF8.self)
        if type.contains("form-urlencoded") { try check(query: text) }
        guard type.contains("multipart/") else { return }
        // Each word of a part's head (RFC 7578 section 4.2), because servers read quotes and escapes differently.
        var isHead = false
        for line in text.replacing("\\", with: "").split(whereSeparator: { ["\r\n", "\n", "\r"].contains($0) }) {
            isHead = line.lowercased().contains("content-") || (isHead && (line.hasPrefix(" ") || line.hasPrefix("\t")))
            let words = isHead ? line.split { !$0.isLetter && !$0.isNumber && !"_[].".contains($0) } : []
            for word in words { try check(name: String(word)) }
        }
    }
}

extension HTTPRequest {
    /// The value in lower case; empty if there is none.
    fileprivate func field(_ name: String) -> String { headers.last { $0.name == name }?.value.lowercased() ?? "" }
}

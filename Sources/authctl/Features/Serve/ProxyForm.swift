import AuthCore

/// Parameters of queries and forms with which some servers replace the token, the user or the method that the proxy has
/// chosen (RFC 6750 sections 2.2 and 2.3).
enum ProxyForm {
    /// Beginnings of names, because some servers read a name only up to an index or a NUL.
    private static let refused = [
        "access_token", "bearer_token", "job_token", "oauth_token", "private_token", "sudo", "_method",
    ]

    /// Refuses these parameters, and names that servers could decode in different ways.
    static func check(query: String) throws(ProxyRefusal) {
        // Some servers separate parameters by semicolons.
        for (name, value) in FormURLEncoded.decodeEach(query.replacing(";", with: "&").utf8) {
            // PHP changes names like this.
            let text = String((name ?? "").trimmingSpaces().lowercased().map { ". [".contains($0) ? "_" : $0 })
            // Facebook's override of the method.
            let isMethod = text == "method" && value.flatMap { HTTPRequest.Method(rawValue: $0.uppercased()) } != nil
            guard name != nil, !isMethod, !refused.contains(where: text.hasPrefix) else {
                throw ProxyRefusal(
                    403, message: "the proxy does not forward the parameter '\(shown: name ?? "%")'",
                    hint: "remove it from the query or form, or correct its percent-encoding")
            }
        }
    }

    /// If servers read the body as a form, refuses these parameters as its fields, and a form that cannot be read here
    /// as servers do. Parts (`multipart/form-data`) are not read.
    ///
    /// - Parameter isWhole: whether `request` has the whole body.
    static func check(_ request: HTTPRequest, isWhole: Bool) throws(ProxyRefusal) {
        func field(_ name: String) -> String { request.headers.last { $0.name == name }?.value.lowercased() ?? "" }
        let type = field("content-type")
        // Rack also reads a POST without a media type as a form.
        guard type.isEmpty ? request.method == .post : type.contains("form-urlencoded") || type.contains("multipart/")
        else { return }
        // Nothing but this parameter: servers read others in several ways.
        let isUTF8 = type.split(separator: ";").dropFirst().allSatisfy {
            ["charset=utf-8", "charset=\"utf-8\""].contains(String($0).trimmingSpaces())
        }
        guard isWhole, isUTF8, !type.isEmpty, !type.contains("multipart/"), field("content-encoding").isEmpty
        else {
            throw ProxyRefusal(
                403,
                message:
                    "the proxy cannot check this body: it must have a Content-Type, and a form must be urlencoded, in UTF-8, and at most 64 KiB",
                hint: "to forward it, add --allow-body form to the server's command")
        }
        try check(query: String(decoding: request.body ?? [], as: UTF8.self))
    }
}

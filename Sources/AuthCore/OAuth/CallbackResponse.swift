/// The loopback listener's response to one request.
struct CallbackResponse {
    /// `page` waits for the result of the sign-in.
    enum Content { case empty, page }

    var status: Int
    var location: String?
    var allow: String?
    var content = Content.empty

    private static let reasons = [
        200: "OK", 204: "No Content", 303: "See Other", 400: "Bad Request", 404: "Not Found",
        405: "Method Not Allowed", 410: "Gone", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
    ]

    func encoded(_ html: String?) throws -> [UInt8] {
        let reason = CallbackResponse.reasons[status] ?? "Error"
        var head = "HTTP/1.1 \(status) \(reason)\r\nConnection: close\r\n"
        for (name, value) in try LandingPage.securityHeaders() { head += "\(name): \(value)\r\n" }
        if let location { head += "Location: \(location)\r\n" }
        if let allow { head += "Allow: \(allow)\r\n" }
        let body = Array((html ?? "").utf8)
        if html != nil { head += "Content-Type: text/html; charset=utf-8\r\n" }
        if status != 204 { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

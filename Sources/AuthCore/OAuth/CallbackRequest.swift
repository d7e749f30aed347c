/// One HTTP request to the loopback listener.
struct CallbackRequest: Sendable, Equatable {
    let method: String
    let path: String
    let query: String?
    let host: String
    let contentType: String?
    /// The length of the body in bytes.
    let contentLength: Int
    let acceptsHTML: Bool

    static let maximumBodyLength = 64 * 1024

    typealias Refusal = RequestHead.Refusal

    init(head: [UInt8]) throws(Refusal) {
        let head = try RequestHead(head)
        (method, path, query) = (head.method, head.path, head.query)
        guard let host = head.header("host") else { throw .badRequest }
        self.host = host.lowercased()
        contentType = head.header("content-type")?.split(separator: ";").first.map { $0.lowercased().trimmingSpaces() }
        acceptsHTML = head.header("accept")?.contains("text/html") ?? false
        contentLength = try head.contentLength(limit: CallbackRequest.maximumBodyLength)
    }
}

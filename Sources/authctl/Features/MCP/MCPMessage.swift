import AuthCore

/// The parts of a JSON-RPC message that a transport needs. The message itself is passed on unchanged.
struct MCPMessage {
    enum Kind: Equatable {
        case request(JSONValue)
        case notification
        /// The ID is null in an error for a message that could not be read.
        case response(JSONValue)
    }

    /// The maximum length of a message in bytes.
    static let limit = 16 << 20
    static let versionKey = "io.modelcontextprotocol/protocolVersion"

    let kind: Kind
    let method: String?
    /// The protocol version in the request's `_meta`, since 2026-07-28.
    private(set) var version: String?
    /// The tool's or prompt's name, or the resource's URI.
    private(set) var name: String?
    /// The ID of the request that a notification cancels.
    private(set) var cancelled: JSONValue?
    /// The protocol version in the result of `initialize`.
    private(set) var initialized: String?
    /// The byte range of the error object.
    let error: Range<Int>?

    /// Returns nil if the bytes are not a single JSON-RPC 2.0 message, or if a top-level name is repeated.
    init?(_ bytes: [UInt8]) {
        guard let top = Outline(json: bytes),
            bytes[(top.close + 1)...].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            Set(top.members.map(\.name)).count == top.members.count
        else { return nil }
        func value(_ place: Range<Int>?) -> JSONValue? {
            place.flatMap { try? StrictJSON.parse(bytes[$0], maximumLength: 8192, maximumDepth: 1) }
        }
        func text(_ object: Outline?, _ name: String) -> String? { value(object?.value(name))?.string }
        guard text(top, "jsonrpc") == "2.0" else { return nil }
        method = text(top, "method")
        error = top.value("error")
        switch (value(top.value("id")), method) {
        case (let id?, nil): kind = .response(id)
        case (.string(let id)?, _?): kind = .request(.string(id))
        case (.number(let id)?, _?): kind = .request(.number(id))
        case (nil, _?) where top.value("id") == nil: kind = .notification
        case (nil, nil) where error.map({ bytes[$0.lowerBound] == UInt8(ascii: "{") }) ?? false: kind = .response(.null)
        default: return nil
        }
        if let result = top.value("result") {
            initialized = text(Outline(json: bytes, from: result.lowerBound), "protocolVersion")
        }
        guard let place = top.value("params"), let parameters = Outline(json: bytes, from: place.lowerBound) else {
            return
        }
        cancelled = value(parameters.value("requestId"))
        if let meta = parameters.value("_meta") {
            version = text(Outline(json: bytes, from: meta.lowerBound), MCPMessage.versionKey)
        }
        switch method {
        case "tools/call", "prompts/get": name = text(parameters, "name")
        case "resources/read": name = text(parameters, "uri")
        default: break
        }
    }

    /// A header's value, encoded if it is not plain ASCII (MCP 2026-07-28, Value Encoding).
    static func headerValue(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x09 } && text == text.trimmingSpaces()
            && !text.isEmpty && !(text.hasPrefix("=?base64?") && text.hasSuffix("?="))
        return isPlain ? text : "=?base64?\(Base64.encode(Array(text.utf8)))?="
    }

    /// The messages of a batch (MCP 2025-03-26), or the only message.
    static func messages(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "["),
            let batch = (try? StrictJSON.parse(bytes, maximumLength: limit, maximumDepth: 64))?.array, !batch.isEmpty
        else { return [bytes] }
        return batch.map { Array($0.text.utf8) }
    }

    /// The message on one line. JSON has line breaks only between its tokens.
    static func line(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0 == 10 || $0 == 13 ? 0x20 : $0 } + [10] }
}

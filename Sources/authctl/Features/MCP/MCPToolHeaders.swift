import AuthCore

/// The tool arguments that each call repeats as headers (MCP 2026-07-28, Custom Headers from Tool Parameters). Clients
/// on standard input and output do not send these headers.
struct MCPToolHeaders {
    private typealias Parameter = (path: [String], header: String)

    private var parameters: [String: [Parameter]] = [:]

    /// Remembers the tools in a response to `tools/list`.
    mutating func learn(from response: [UInt8]) {
        for tool in MCPToolHeaders.object(response)?["result"]?.object?["tools"]?.array ?? [] {
            guard let name = tool.object?["name"]?.string else { continue }
            var found: [String: Parameter] = [:]
            MCPToolHeaders.find(in: tool.object?["inputSchema"]?.object, at: [], &found)
            parameters[name] = found.isEmpty ? nil : found.values.sorted { $0.header < $1.header }
        }
    }

    func headers(of call: [UInt8], _ tool: String) -> [(name: String, value: String)] {
        guard let known = parameters[tool], let message = MCPToolHeaders.object(call) else { return [] }
        return known.compactMap { parameter in
            var value = message["params"]?.object?["arguments"]
            for name in parameter.path { value = value?.object?[name] }
            let text: String? =
                switch value {
                case .string(let text): text
                case .bool(let isTrue): isTrue ? "true" : "false"
                case .number(let number): number.text
                default: nil
                }
            return text.map { (name: "Mcp-Param-\(parameter.header)", value: MCPMessage.headerValue($0)) }
        }
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        try? StrictJSON.object(bytes, maximumLength: MCPMessage.limit, maximumDepth: 64)
    }

    /// Only parameters that are reached through `properties` can be repeated.
    /// - Parameter found: the parameters by header, in lower case.
    private static func find(in schema: JSONObject?, at path: [String], _ found: inout [String: Parameter]) {
        for property in schema?["properties"]?.object?.members ?? [] {
            let (place, schema) = (path + [property.name], property.value.object)
            let header = schema?["x-mcp-header"]?.string
            let isValid = header.map { (try? HTTPFieldProblem.check(name: $0, value: "")) != nil } ?? false
            if let header, isValid, found[header.lowercased()] == nil {
                found[header.lowercased()] = (place, header)
            }
            find(in: schema, at: place, &found)
        }
    }
}

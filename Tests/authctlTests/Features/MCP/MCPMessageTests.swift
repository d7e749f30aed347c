import AuthCore
import Testing

@testable import authctl

@Suite struct `MCP streams` {
    @Test(arguments: [(nil, 1000), (.string("a"), 100)] as [(JSONValue?, Int)])
    func `the stream of a request is requested again at most ten times a second, others once a second`(
        id: JSONValue?, milliseconds: Int
    ) {
        let stream = MCPStream(of: id)
        #expect(stream.pause(after: 0) == .seconds(1) && stream.pause(after: 9) == .seconds(60))
        _ = stream.take(Array("retry: 0\n".utf8)) { _ in false }
        #expect(stream.pause(after: 0) == .milliseconds(milliseconds))
        #expect(stream.pause(after: 3) == .milliseconds(8 * milliseconds))
    }

    @Test func `a batch has several messages; other text is one message`() {
        func read(_ text: String) -> [String] {
            MCPMessage.messages(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(read(#" [ {"id": 1.50}, 5 ,"a"] "#) == [#"{"id":1.50}"#, "5", #""a""#])
        for text in ["", "[]", "[", "[1", "[1] 2", #"{"a": [1]}"#] { #expect(read(text) == [text]) }
        #expect(read("[[1]]") == ["[1]"])
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        #expect(read(deep) == [deep])
    }
}

@Suite struct `MCP messages` {
    @Test func `The code of an error is the exit code of the command`() throws {
        let url = try HTTPURL("https://mcp.example.com/mcp")
        let codes = [401, 404, 429, 500, 503].map { MCPBridge.failure($0, of: url).exitCode }
        #expect(codes == [4, 1, 69, 69, 69])
    }

    private func read(_ text: String) -> MCPMessage? { MCPMessage(Array(text.utf8)) }

    private func message(_ text: String) -> MCPMessage? {
        read(text.replacing("{", with: #"{"jsonrpc":"2.0","#, maxReplacements: 1))
    }

    @Test func `Requests, notifications and responses are distinguished by id and method`() {
        #expect(read(#"{"jsonrpc":"2.0","id":"a","method":"x"}"#)?.kind == .request("a"))
        #expect(message(#" {"method":"x","params":{"id":1}} "#)?.kind == .notification)
        #expect(message(#"{"result":{},"id":7}"#)?.kind == .response(7))
        #expect(message(#"{"error":{"code":1}}"#)?.kind == .response(.null))
    }

    @Test(arguments: [
        "", "x", "[]", "{", #"{"id":1"#, #"{"id":1}{"id":2}"#, #"{"id":1,"id":2,"method":"x"}"#, #"{"id":null,"method":"x"}"#,
        #"{"id":{},"method":"x"}"#, #"{"params":{}}"#, #"{"error":"text"}"#, #"{"id" 1}"#, #"{"id":}"#,
    ])
    func `Text that is not one JSON-RPC message is refused`(text: String) {
        #expect(message(text) == nil)
    }

    @Test func `A message without the version 2.0 of JSON-RPC is refused`() {
        #expect(read(#"{"id":1,"method":"x"}"#) == nil && read(#"{"jsonrpc":"1.0","id":1,"method":"x"}"#) == nil)
        #expect(read(#"{"jsonrpc":2.0,"id":1,"method":"x"}"#) == nil)
    }

    @Test func `The version, the name and the cancelled request are read from the parameters`() {
        let call = message(
            #"{"id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"v"},"name":"\u00e4"}}"#)
        #expect(call?.version == "v" && call?.name == "ä")
        #expect(message(#"{"id":1,"method":"resources/read","params":{"uri":"file:///a","name":"b"}}"#)?.name == "file:///a")
        #expect(message(#"{"id":1,"method":"other","params":{"name":"b"}}"#)?.name == nil)
        #expect(message(#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#)?.cancelled == "a")
        #expect(message(#"{"id":1,"result":{"protocolVersion":"2025-11-25"}}"#)?.initialized == "2025-11-25")
    }

    @Test func `A header's value that is not plain ASCII is encoded`() {
        #expect(MCPMessage.headerValue("us-west1") == "us-west1")
        #expect(MCPMessage.headerValue("Hello, 世界") == "=?base64?SGVsbG8sIOS4lueVjA==?=")
        #expect(MCPMessage.headerValue(" padded ") == "=?base64?IHBhZGRlZCA=?=")
        #expect(MCPMessage.headerValue("line1\nline2") == "=?base64?bGluZTEKbGluZTI=?=")
        #expect(MCPMessage.headerValue("=?base64?literal?=") == "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=")
    }

    @Test func `Annotated arguments of a tool become headers, reached through properties only`() {
        var headers = MCPToolHeaders()
        headers.learn(
            from: Array(
                #"""
                {"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{
                  "a":{"x-mcp-header":"A"}, "b":{"properties":{"c":{"x-mcp-header":"B"}}}, "n":{"x-mcp-header":"N"},
                  "again":{"x-mcp-header":"a"}, "bad":{"x-mcp-header":"x y"}, "l":{"items":{"x-mcp-header":"L"}}}}}]}}
                """#.utf8))
        let call = #"{"id":2,"params":{"arguments":{"a":"ä","b":{"c":true},"again":1,"bad":1,"l":[1],"n":null}}}"#
        let found = headers.headers(of: Array(call.utf8), "t").map { "\($0.name): \($0.value)" }
        #expect(found == ["Mcp-Param-A: =?base64?w6Q=?=", "Mcp-Param-B: true"])
        #expect(headers.headers(of: Array(call.utf8), "other").isEmpty)
    }
}

import AuthCore

@main
struct TokenJob {
    static func main() async throws {
        let provider = CommandLine.arguments.dropFirst().first
        // If many tasks and processes need a token, one refresh request is sent.
        let token = try await Sessions().tokens(of: provider).accessToken()
        token.withUnsafeValue { print($0) }
    }
}

import AuthCore

@main
struct TokenJob {
    static func main() async throws {
        let provider = CommandLine.arguments.dropFirst().first
        // One request goes out, however many tasks and processes ask, authctl itself among them.
        let token = try await Sessions().tokens(of: provider).accessToken()
        token.withUnsafeValue { print($0) }
    }
}

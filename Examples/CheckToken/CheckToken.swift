import AuthCore
import FoundationEssentials

/// Checks ID tokens as a service does that takes them: CheckToken JWKS ISSUER AUDIENCE <tokens, one a line
@main
struct CheckToken {
    static func main() throws {
        let arguments = CommandLine.arguments
        let keys = try JWKSet(Array(try Data(contentsOf: URL(filePath: arguments[1]))))
        let verify = VerifyToken(keys: keys, algorithms: [.rs256, .es256])
        while let line = readLine() {
            let expected = ExpectedIDToken(
                issuers: .exact(arguments[2]), audience: arguments[3], nonce: .notChecked,
                now: Int64(Date().timeIntervalSince1970))
            // A claim comes out of a token that was verified, and there is no other way to one.
            switch verify([Array(line.utf8)], expecting: expected)[0] {
            case .success(let checked): print("good:", checked.claims?["sub"]?.string ?? "nobody")
            case .failure(let rejection): print("refused:", rejection)
            }
        }
    }
}

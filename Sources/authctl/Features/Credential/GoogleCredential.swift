import AuthCore
import Glibc

/// The request of a Google Cloud library in the environment, and the response (AIP-4117, executable-sourced
/// credentials).
struct GoogleCredential: Equatable {
    /// The audience of the identity pool, as in the token of a CI job.
    let audience: String?
    let isInteractive: Bool
    private let tokenType: String
    private let file: String?

    private static let types = [TokenEndpoint.TokenType.idToken, .jwt].map(\.rawValue)

    init(_ environment: Environment) throws(CommandError) {
        func variable(_ name: String) -> String? { environment["GOOGLE_EXTERNAL_ACCOUNT_\(name)"] }
        guard [nil, "1"].contains(variable("ALLOW_EXECUTABLES")) else {
            throw CommandError(
                .operationNotAllowed, "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES does not allow this command",
                hint: "set it to 1")
        }
        guard variable("REVOKE") != "1" else {
            throw CommandError(
                .unsupported, "libraries of Google Cloud cannot end a session of authctl", hint: .run("authctl signout")
            )
        }
        tokenType = variable("TOKEN_TYPE") ?? GoogleCredential.types[0]
        guard GoogleCredential.types.contains(tokenType) else {
            throw CommandError(
                .usage, "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE '\(ServerText(tokenType))' is not the type of an ID token",
                hint: "set subject_token_type to \(GoogleCredential.types[0])")
        }
        // Google Cloud accepts the pool's name as an https URL.
        audience = variable("AUDIENCE").flatMap { $0.hasPrefix("//") ? "https:\($0)" : nil }
        isInteractive = variable("INTERACTIVE") == "1"
        file = variable("OUTPUT_FILE")
    }

    func response(_ token: CurrentToken.Result) -> JSONValue {
        var response: JSONObject = [
            "version": 1, "success": true, "token_type": .string(tokenType),
            "id_token": .string(token.token.revealed()),
        ]
        if let expiresAt = token.expiresAt { response["expiration_time"] = JSONValue(expiresAt) }
        return .object(response)
    }

    static func response(_ failure: Failure) -> JSONValue {
        let message = failure.message + (failure.hint.map { "; \($0.text)" } ?? "")
        return ["version": 1, "success": false, "code": .string(failure.code), "message": .string(message)]
    }

    /// Writes the response to the file that the library reads first. Returns false if it does not name one.
    func store(_ response: JSONValue) throws(StoreError) -> Bool {
        guard let file else { return false }
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(
                file, with: Array((response.text + "\n").utf8), by: "\(file).authctl-\(getpid())", in: AT_FDCWD)
        } catch {
            throw StoreError.system(operation: "write", path: file, code: error.code)
        }
        return true
    }
}

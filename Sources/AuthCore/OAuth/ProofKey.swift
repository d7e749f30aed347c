/// The code verifier and the code challenge of one authorization request (PKCE, RFC 7636). It must not be used again.
package struct ProofKey: Sendable {
    package let verifier: CodeVerifier
    package let challenge: String

    /// - Throws: `OpenSSLError` if no random bytes are available.
    package init(random: RandomSource = .openSSL) throws { try self.init(verifier: try random.token(bytes: 32)) }

    init(verifier: String) throws {
        self.verifier = CodeVerifier(verifier)
        challenge = Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8))
    }
}

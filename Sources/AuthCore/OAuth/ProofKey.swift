/// A proof key for one authorization request (RFC 7636).
///
/// Make one per request: a verifier used twice no longer ties the code to this process.
package struct ProofKey: Sendable {
    package let verifier: CodeVerifier
    package let challenge: String

    /// - Throws: `OpenSSLError` when no random bytes can be had.
    package init(random: RandomSource = .openSSL) throws { try self.init(verifier: try random.token(bytes: 32)) }

    init(verifier: String) throws {
        self.verifier = CodeVerifier(verifier)
        challenge = Base64URL.encode(try HashFunction.sha256.digest(verifier.utf8))
    }
}

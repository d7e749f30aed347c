import ArgumentParser
import AuthCore

/// What `verify` expects of a signed token.
struct VerificationFlags: ParsableArguments {
    @Option(help: .init("The expected issuer, whose published keys are used.", valueName: "url"))
    var issuer: String?

    @Option(help: .init("The expected audience.", valueName: "client-id"))
    var audience: String?

    @Option(
        help: .init(
            "What the token is: an ID token, or a JWT access token of RFC 9068 (default: id).", valueName: "id|access"))
    var type: CurrentToken.Kind?

    @Option(help: .init("Read the keys from this JWK Set.", valueName: "file"), completion: .file())
    var jwks: String?

    @Flag(help: "Verify only the signature and print the payload.")
    var signatureOnly = false

    func requireComplete() throws {
        if signatureOnly {
            try require(
                audience == nil && type == nil,
                "--audience and --type cannot be used with --signature-only: claims are not checked")
            try refuse(["--issuer": issuer], with: ["--signature-only and --jwks": jwks])
        }
        if issuer == nil, jwks == nil {
            return try require(
                "--issuer", isGiven: false, for: ["--audience": audience, "--type access": type == .access])
        }
        try require(
            signatureOnly || (issuer != nil && audience != nil),
            .missing(["--issuer", "--audience"], note: " unless --signature-only is given"))
    }
}

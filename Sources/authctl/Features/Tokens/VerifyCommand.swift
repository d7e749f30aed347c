import ArgumentParser
import AuthCore
import Glibc

struct VerifyCommand: PrintsJSON {
    static let output = VerifiedLine.view

    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a signed token: print its claims, or why it is invalid.",
        discussion: """
            With a file, verifies one token and prints its claims as JSON. With -, reads one token per line from \
            standard input and prints one JSON result per line in the same order; many tokens are verified in \
            parallel. Without --issuer and --jwks, verifies tokens of the profile's Firebase project. Exits with 65 if \
            a token is invalid, a line is empty, or there is no token.
            """)
    static let examples: Examples = [
        "Verify an access token that an API received.":
            "authctl verify token.txt --type access --issuer https://id.example.com --audience my-api",
        "Verify one token per line, with keys from a file.":
            "authctl verify - --jwks keys.json --signature-only <tokens.txt",
        "Introspect an opaque token at the provider.": "authctl verify --introspect --provider oidc.work token.txt",
    ]

    @Argument(help: .init("A file with one token, or - for one per line.", valueName: "file|-"), completion: .file())
    var source = "-"

    @OptionGroup var options: GlobalOptions

    @OptionGroup var expected: VerificationFlags
    @OptionGroup(title: "Introspection") var introspection: IntrospectionFlags

    var errorContext: ErrorContext { .init("verification failed", for: .verify, provider: introspection.provider.id) }

    func validate() throws {
        try refuse(
            if: source.isCompactToken,
            "a token in an argument is visible to all users of this machine: pass a file, or - for standard input")
        guard introspection.introspect else { return try expected.requireComplete() }
        let refused: GivenOptions = [
            "--jwks": expected.jwks, "--signature-only": expected.signatureOnly, "--type": expected.type?.rawValue,
        ]
        try refuse(["--introspect": true], with: refused)
    }

    func run(_ context: Context) async throws {
        if introspection.introspect { return try await introspect(context) }
        let cores = Process.availableCores
        let batch = try await VerifyBatch(expected, in: context, cores: cores)
        guard source != "-" else { return try await lines(of: batch, on: context.output, cores: cores) }
        let result = try await batch.check(try token())
        guard let claims = result.claims else { return context.output.exactly(result.payload + [10]) }
        context.output.exactly(VerifyBatch.text(of: result.payload, claims) + [10])
    }

    private func introspect(_ context: Context) async throws {
        let introspectToken = try await introspection.request(
            issuer: expected.issuer, audience: expected.audience, context)
        func printIntrospection(_ token: [UInt8]) async throws {
            guard let text = String(validating: token, as: UTF8.self), !text.isEmpty else {
                throw VerifyCommand.nothing(in: source == "-" ? "a line" : "'\(source)'")
            }
            do {
                context.output.json(.object(try await introspectToken.run(text)))
            } catch let error as TokenRejected {
                context.output.json(.object(error.members))
                throw error
            }
        }
        guard source == "-" else {
            return try await printIntrospection(try token())
        }
        let lines = try SecretInput.bytes("-").split(separator: 10, omittingEmptySubsequences: false)
        let tokens = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        guard !tokens.isEmpty else { throw VerifyCommand.nothing(in: "standard input") }
        var refused: TokenRejected?
        for (number, token) in zip(1..., tokens) {
            do {
                try await printIntrospection(VerifyCommand.trimmed(Array(token)))
            } catch let error as TokenRejected {
                if tokens.count > 1 {
                    context.output.note("line \(number): \(error.explanation(errorContext).message)")
                }
                refused = error
            }
        }
        if let refused { throw refused }
    }

    /// The token in the file.
    private func token() throws -> [UInt8] {
        let token = VerifyCommand.trimmed(try SecretInput.bytes(source))
        guard !token.isEmpty else { throw VerifyCommand.nothing(in: "'\(source)'") }
        guard !token.contains(10) else {
            throw CommandError(
                .invalidIDToken, "'\(shown: source)' has several lines, and a file has one token",
                hint: "to verify one token on each line, pass - and the file as standard input")
        }
        return token
    }

    private static func nothing(in source: String) -> CommandError {
        CommandError(
            .invalidIDToken, "no token found in \(source)",
            hint: "a file with one token, or one on each line of standard input: \(run: "authctl verify FILE")")
    }

    /// Without white space at both ends.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { [9, 10, 13, 32].contains($0) }
        return Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }

    /// Input bytes per core and round: about 80 tokens, in memory that the C library reuses.
    private static let share = 1 << 16
    /// The requested capacity of the pipe in bytes (pipe(7)), so that the writer can continue during the verification.
    private static let pipeSize: Int32 = 1 << 20
    private static let setPipeSize: Int32 = 1031

    private func lines(of batch: VerifyBatch, on terminal: Output, cores: Int) async throws {
        if Prompt.isTerminal {
            // A valid token is a secret.
            Prompt.hideEcho()
            terminal.prompt("Enter one token per line; end with Ctrl-D.")
        }
        // Fails, without a change, if standard input is not a pipe or the user's pipes exceed the limit.
        _ = fcntl(0, VerifyCommand.setPipeSize, VerifyCommand.pipeSize)
        var hasRefused = false
        var hasLine = false
        var reader = LineReader(
            descriptor: 0, maximumLength: UnverifiedJWS.maximumLength + 1, size: cores * VerifyCommand.share)
        var output: [UInt8] = []
        // Prints the results before each read. If more input is available, reads and prints large pieces.
        while let tokens = reader.next(beforeWaiting: {
            terminal.exactly(output)
            output.removeAll(keepingCapacity: true)
        }) {
            hasLine = true
            for part in try await batch.lines(tokens, errorContext) {
                output += part.output
                hasRefused = hasRefused || part.hasRefused
            }
        }
        terminal.exactly(output)
        // Empty input must fail: a script with an empty variable would treat exit code 0 as a valid token.
        guard hasLine else { throw VerifyCommand.nothing(in: "standard input") }
        if hasRefused { throw ExitStatus(code: 65) }
    }
}

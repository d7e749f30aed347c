import ArgumentParser
import AuthCore

/// An address and a password. The password is read from standard input or a prompt, never from an argument.
struct PasswordFlags: ParsableArguments {
    @Option(help: .init("The email address (requires --provider password or emailLink).", valueName: "address"))
    var email: String?

    @Flag(help: "Read the password from standard input (requires --provider password).")
    var passwordStdin = false

    @Flag(name: .customLong("create"), help: "Create a new account (requires --provider password).")
    var creates = false

    var given: GivenOptions { ["--email": email, "--password-stdin": passwordStdin, "--create": creates] }

    func run(_ operation: SignInOperation, _ context: Context) async throws -> SignInResult {
        try await PasswordInput.signIn(address(context), fromInput: passwordStdin, as: operation, in: context)
    }

    func create(_ context: Context) async throws -> SignInResult {
        let email = try address(context)
        try PasswordPolicy.check(email: email)
        let password = try PasswordInput.new(fromInput: passwordStdin, context)
        return try await PasswordInput.signIn(context).create(email: email, password)
    }

    func address(_ context: Context) throws -> String {
        let entered = try email ?? context.text("Email: ", ifEmpty: "an email address is required")
        guard let entered else { throw UsageProblem.missing(["--email"]) }
        return entered
    }
}

/// Reads a password from a prompt or standard input.
enum PasswordInput {
    static func signIn(_ context: Context) throws -> PasswordSignIn {
        PasswordSignIn(directory: try context.profile.directory(creating: true), clock: context.clock)
    }

    static func signIn(
        _ email: String, fromInput: Bool = false, as operation: SignInOperation, in context: Context
    ) async throws -> SignInResult {
        let password = try existing(fromInput: fromInput, context)
        return try await signIn(context).run(email: email, password, as: operation)
    }

    private static func existing(fromInput: Bool, _ context: Context) throws -> Password {
        if fromInput { return Password(try SecretInput.read("-", prompt: "Password: ", in: context)) }
        guard let typed = try typed("Password: ", context) else {
            throw SignInError.interactionRequired
        }
        return Password(typed)
    }

    static func new(fromInput: Bool, _ context: Context) throws -> Password {
        if fromInput, !Prompt.isTerminal {
            return Password(try SecretInput.read("-", prompt: "New password: ", in: context))
        }
        for _ in 1...tries {
            guard let first = try typed("New password: ", context),
                let second = try typed("Repeat the password: ", context)
            else { throw SignInError.interactionRequired }
            guard first != second else { return Password(first) }
            context.output.prompt("The two passwords differ.")
        }
        throw UsageProblem.other("the two passwords differ")
    }

    private static let tries = 3

    private static func typed(_ question: String, _ context: Context) throws -> String? {
        try context.text(question, isHidden: true, ifEmpty: "the password must not be empty")
    }
}

extension Context {
    /// Asks for a text; nil in non-interactive runs.
    fileprivate func text(_ question: String, isHidden: Bool = false, ifEmpty reason: String) throws -> String? {
        guard !isUnattended else { return nil }
        return try output.ask(question, isHidden: isHidden) { typed in
            guard !typed.isEmpty else { throw InvalidInput(reason) }
            return typed
        }
    }
}

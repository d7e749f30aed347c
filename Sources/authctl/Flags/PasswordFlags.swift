import ArgumentParser
import AuthCore

/// An address and a password, from a file descriptor or a prompt and never from an argument.
struct PasswordFlags: ParsableArguments {
    @Option(help: ArgumentHelp("With --provider password: the address.", valueName: "address"))
    var email: String?

    @Flag(help: "With --provider password: read the password from standard input.")
    var passwordStdin = false

    var isUsed: Bool { email != nil || passwordStdin }

    func run(_ operation: SignInOperation, _ context: Context) async throws -> SignInResult {
        let email = try address(context)
        let password = try PasswordInput.existing(fromInput: passwordStdin, context)
        return try await PasswordInput.signIn(context)(email: email, password, operation)
    }

    func create(_ context: Context) async throws -> SignInResult {
        let email = try address(context)
        try PasswordPolicy.check(email: email)
        let password = try PasswordInput.new(fromInput: passwordStdin, context)
        return try await PasswordInput.signIn(context).create(email: email, password)
    }

    private func address(_ context: Context) throws -> String {
        if let email { return email }
        guard !context.isUnattended, let line = context.output.ask("Email: "), !line.isEmpty else {
            throw UsageProblem("--provider password needs --email")
        }
        return line
    }
}

/// A password as it is typed or piped in.
enum PasswordInput {
    static func signIn(_ context: Context) throws -> PasswordSignIn {
        PasswordSignIn(directory: try context.profile.directory(creating: true), clock: context.clock)
    }

    static func existing(fromInput: Bool, _ context: Context) throws -> Password {
        if fromInput { return Password(try SecretInput.read("-", asking: "Password: ", context)) }
        guard !context.isUnattended, let line = Prompt.hidden("Password: ") else {
            throw SignInError.interactionRequired
        }
        return Password(line)
    }

    /// Asked for twice: nobody sees what they type.
    static func new(fromInput: Bool, _ context: Context) throws -> Password {
        if fromInput, !Prompt.isTerminal {
            return Password(try SecretInput.read("-", asking: "New password: ", context))
        }
        guard !context.isUnattended, let first = Prompt.hidden("New password: "),
            let second = Prompt.hidden("The same again: ")
        else { throw SignInError.interactionRequired }
        guard first == second else { throw UsageProblem("the two passwords differ") }
        return Password(first)
    }
}

import AuthCore

/// A simple command of a POSIX shell that users can paste.
///
/// Each interpolated value becomes one quoted word, so that an email address from a provider cannot become a command or
/// an option.
///
/// `let command: ShellCommand = "authctl accounts lookup \(email)"`
struct ShellCommand: Sendable, Equatable, ExpressibleByStringInterpolation {
    private var head: String
    /// Operands that start with a dash, and those after them. They are printed after `--`.
    private var operands: [String] = []

    /// The arguments of authctl, as a shell passes them; nil for another program.
    var arguments: [String]? {
        guard let words = Shell.split(text), words.first == "authctl" else { return nil }
        return Array(words.dropFirst())
    }

    var text: String { operands.isEmpty ? head : "\(head) -- \(Shell.words(operands))" }

    init(stringLiteral value: String) { head = value }
    init(stringInterpolation: StringInterpolation) { self = stringInterpolation.command }
    init(words: [String]) {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        head = Shell.words(Array(words[..<end]))
        operands = Array(words[end...].dropFirst())
    }

    func with(_ options: GivenOptions) -> ShellCommand {
        var command = self
        for option in options.list {
            command.head += " " + option.name
            guard let value = option.value else { continue }
            command.head += " "
            Shell.append(value, to: &command.head)
        }
        return command
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var command = ShellCommand(words: [])

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { command.head += literal }

        mutating func appendInterpolation(_ value: String) {
            let option = command.head.dropLast().split(separator: " ").last ?? ""
            guard command.head.hasSuffix(" "), !option.hasPrefix("--"),
                value.hasPrefix("-") || !command.operands.isEmpty
            else { return Shell.append(value, to: &command.head) }
            command.head.removeLast()
            command.operands.append(value)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { command.head += String(number) }

        mutating func appendInterpolation(_ other: ShellCommand) {
            command.head += other.head
            command.operands += other.operands
        }
    }

    /// A service of the catalog is set up by its name.
    static func setup(_ provider: String?) -> ShellCommand {
        guard let provider else { return "authctl setup" }
        let service = ProviderID.name(in: provider) == nil ? nil : Catalog.entries.first { $0.id == provider }
        return "authctl setup \(service?.name ?? provider)"
    }

    static func signIn(_ provider: String?) -> ShellCommand {
        // The session of the Firebase project itself has no provider.
        guard let provider, provider != SessionIssuer.projectID else { return "authctl signin" }
        if provider == ProjectSignInProvider.customToken { return "authctl signin --custom-token -" }
        // Text that is no provider's name is left out.
        guard AccountName.isName(provider), !Shell.mayBeSecret(provider) else { return "authctl signin" }
        return "authctl signin \(provider)"
    }

    /// Includes the email address if this kind of sign-in requires it.
    /// - Parameter suggestsUser: also includes it if the provider accepts it: the browser may be signed in as another
    ///   user.
    static func signIn(_ provider: String?, email: String?, suggestsUser: Bool = false) -> ShellCommand {
        let isAsked = ProjectSignInProvider.byAddress.contains { $0 == provider }
        let accepts = provider.map { Dialect.named($0)?.supportsLoginHint ?? $0.hasPrefix("oidc.") } ?? false
        return signIn(provider)
            .with(["--email": isAsked ? email : nil, "--login-hint": suggestsUser && accepts ? email : nil])
    }

    /// The command that signs in to an account without a session.
    static func signIn(to account: Account) -> ShellCommand {
        let provider = account.providerData.first?.key.providerID
        guard account.isMachine, let provider else {
            return signIn(provider, email: account.email, suggestsUser: true)
        }
        guard let platform = WorkloadPlatform.all.first(where: { $0.providerID == provider }) else {
            return "\(signIn(provider)) --flow \(SignInRequest.Flow.clientCredentials.rawValue)"
        }
        return "authctl signin --ci \(platform.name)"
    }

    static func signInWithToken(_ provider: String) -> ShellCommand { "\(signIn(provider)) --with-token" }
}

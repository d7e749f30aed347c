import AuthCore

/// A simple command of a POSIX shell that can be pasted.
///
/// A value enters by interpolation, as one quoted word: an address that a provider chose cannot become a command or an
/// option.
///
/// `let command: ShellCommand = "authctl accounts lookup \(email)"`
struct ShellCommand: Sendable, Equatable, ExpressibleByStringInterpolation {
    private var head: String
    /// Operands that look like options, and those after them. They are printed after `--`.
    private var operands: [String] = []

    var text: String { operands.isEmpty ? head : "\(head) -- \(Shell.words(operands))" }

    init(stringLiteral value: String) { head = value }
    init(stringInterpolation: StringInterpolation) { self = stringInterpolation.command }
    init(words: [String]) {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        head = Shell.words(Array(words[..<end]))
        operands = Array(words[end...].dropFirst())
    }

    /// The command line of this process, up to a word that may be a secret.
    static var typed: ShellCommand {
        ShellCommand(words: ["authctl"] + Process.typed.prefix { !Shell.mayBeSecret($0) })
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
}

extension ShellCommand {
    static func setup(_ provider: String?) -> ShellCommand { provider.map { "authctl setup \($0)" } ?? "authctl setup" }

    static func signIn(_ provider: String?) -> ShellCommand {
        // A project's own session has no provider.
        guard let provider, provider != DirectorySession.id else { return "authctl signin" }
        if provider == ProjectSignInProvider.customToken { return "authctl signin --custom-token -" }
        // An invalid ID is not repeated.
        let isProvider =
            ProjectSignInProvider.byAddress.contains(provider) || provider == ProjectSignInProvider.anonymous
            || (try? ProviderID(provider)) != nil
        guard isProvider else { return "authctl signin" }
        return "authctl signin --provider \(provider)"
    }

    /// Names the address if the sign-in asks for one.
    static func signIn(_ provider: String?, email: String?) -> ShellCommand {
        let isAsked = ProjectSignInProvider.byAddress.contains { $0 == provider }
        return signIn(provider).with(["--email": isAsked ? email : nil])
    }

    /// Signs in to an account that has no session.
    static func signIn(to account: Account) -> ShellCommand {
        let provider = account.providerData.first?.key.providerID
        guard account.isMachine, let provider else { return signIn(provider, email: account.email) }
        guard let platform = WorkloadPlatform.all.first(where: { $0.providerID == provider }) else {
            return "\(signIn(provider)) --flow \(SignInRequest.Flow.clientCredentials.rawValue)"
        }
        return "authctl signin --ci \(platform.name)"
    }

    static func signInWithToken(_ provider: String) -> ShellCommand { "\(signIn(provider)) --with-token" }
}

import ArgumentParser
import AuthCore

extension CompletionKind {
    static var providers: CompletionKind { .custom { line, _, _ in Completions.providers(line) } }
    static var allProviders: CompletionKind { .custom { line, _, _ in Completions.allProviders(line) } }
    static var accounts: CompletionKind { .custom { line, _, _ in Completions.accounts(line) } }
    static var profiles: CompletionKind { .custom { line, _, _ in Completions.profiles(line) } }
    static var pending: CompletionKind { .custom { line, _, _ in Completions.pending(line) } }
}

/// Lists the values that shells complete; after an error, lists none.
enum Completions {
    /// The names without special characters. Bash expands the words that it completes (`compgen -W`), so another name,
    /// such as an address, could run a command.
    static func offered(_ names: [String]) -> [String] {
        names.filter { name in
            !name.hasPrefix("-")
                && name.utf8.allSatisfy { $0.isLetterOrDigit || "@._+-".utf8.contains($0) || $0 >= 0x80 }
                && !name.unicodeScalars.contains(where: \.isHidden)
        }
    }

    private static func context(_ arguments: [String]) -> Context? {
        let settings = Settings(
            profile: arguments.value(of: "--profile"), configDir: arguments.value(of: "--config-dir"))
        return try? Context(settings: settings, output: .silent)
    }

    private static func offered(_ arguments: [String], _ names: (Context) throws -> [String]?) -> [String] {
        guard let context = context(arguments) else { return [] }
        return offered((try? names(context)) ?? [])
    }

    static func providers(_ arguments: [String]) -> [String] {
        offered(arguments) { ((try? $0.profile.providerIDs()) ?? []) + projectProviders(arguments, $0) }
            + services(arguments)
    }

    /// The providers that can be set up, after the first letter: all of them would fill the screen.
    private static func services(_ arguments: [String]) -> [String] {
        let setsUp = ["signin", "login", "setup", "add"].contains(where: arguments.contains)
        guard setsUp, arguments.last?.isEmpty == false else { return [] }
        return Dialect.builtIn.map(\.id) + Catalog.entries.map(\.name)
    }

    private static func projectProviders(_ arguments: [String], _ context: Context) -> [String] {
        guard arguments.suffix(2).contains("--provider"), (try? context.profile.projectSettings()) != nil else {
            return []
        }
        let signsIn = ["signin", "login"].contains(where: arguments.contains)
        let proves = ["link", "reauth"].contains(where: arguments.contains)
        return (signsIn || proves ? [ProjectSignInProvider.emailLink] : [])
            + (signsIn ? [ProjectSignInProvider.anonymous] : [])
    }

    static func allProviders(_ arguments: [String]) -> [String] {
        let configured = providers(arguments)
        return configured + Dialect.builtIn.map(\.id).filter { !configured.contains($0) }
    }

    static func accounts(_ arguments: [String]) -> [String] {
        offered(arguments) { try $0.profile.sessionStoreForDisplay()?.accountNames() }
    }

    static func profiles(_ arguments: [String]) -> [String] {
        offered(arguments) { context in
            let stored = try? context.profile.sessionStoreForDisplay()?.names(now: context.clock.now()).profiles
            let written = try? context.profile.settings().profileNames
            return Set([Profile.defaultName] + (stored ?? []) + (written ?? [])).sorted()
        }
    }

    static func pending(_ arguments: [String]) -> [String] {
        offered(arguments) { try $0.profile.sessionStoreForDisplay()?.names(now: $0.clock.now()).pending }
    }
}

import ArgumentParser
import AuthCore

/// The flags every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Use this profile (AUTHCTL_PROFILE).", valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp("Act for this account, in this call only (AUTHCTL_ACCOUNT).", valueName: "uid|email"),
        completion: .custom { _, _, _ in Completions.accounts() })
    var account: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print no notes.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Trace HTTP on standard error; secrets are left out.")
    var verbose = false

    @Flag(help: "Never prompt and never open a browser (implied when CI is set).")
    var noInput = false

    @Option(help: ArgumentHelp("How long to wait for a person.", valueName: "seconds"))
    var timeout = 300

    @Option(
        help: ArgumentHelp("Keep everything in this directory (AUTHCTL_CONFIG_DIR).", valueName: "dir"),
        completion: .directory)
    var configDir: String?

    func validate() throws {
        guard (1...86400).contains(timeout) else { throw ValidationError("--timeout must be 1 to 86400 seconds") }
    }
}

/// What the global flags say, as a plain value.
struct Settings: Sendable {
    var profile: String?
    var account: String?
    var json = false
    var quiet = false
    var verbose = false
    var noInput = false
    /// Seconds to wait for a person.
    var timeout = 300
    var configDir: String?
}

extension GlobalOptions {
    var settings: Settings {
        Settings(
            profile: profile, account: account, json: json, quiet: quiet, verbose: verbose, noInput: noInput,
            timeout: timeout, configDir: configDir)
    }
}

/// Takes the provider of a command.
struct ProviderOption: ParsableArguments {
    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp("The provider.", valueName: "id"),
        completion: .custom { _, _, _ in Completions.providers() })
    var id: String?
}

/// Lists what exists, for the shells; says nothing when it cannot.
enum Completions {
    /// What a shell may be offered. Bash expands the words that it completes (`compgen -W`), so that an address with a
    /// command in it would be run by pressing Tab: only names of harmless characters are told.
    static func offered(_ names: [String]) -> [String] {
        names.filter { name in
            !name.hasPrefix("-")
                && name.utf8.allSatisfy { $0.isLetterOrDigit || "@._+-".utf8.contains($0) || $0 >= 0x80 }
                && !name.unicodeScalars.contains(where: \.isHidden)
        }
    }

    static func providers() -> [String] {
        guard let context = try? Context(settings: Settings(), output: .silent) else { return [] }
        return offered((try? context.configuration().providerIDs(profile: context.profile)) ?? [])
    }

    static func accounts() -> [String] {
        guard let context = try? Context(settings: Settings(), output: .silent),
            let directory = try? context.localDirectory(creating: false)
        else { return [] }
        return offered((try? directory.accountNames()) ?? [])
    }
}

import ArgumentParser
import AuthCore
import Glibc

extension ProfileCommand {
    struct Unlock: ForEveryAccount {
        static let configuration = CommandConfiguration(
            commandName: "unlock", abstract: "Open the key that seals the sessions, for the commands that follow.",
            discussion: """
                With a passphrase, the key is kept by the kernel for this user until the end that is said. The keyring is \
                opened at the desktop.
                """)
        static let examples = [
            Example("Open the key for eight hours.", "authctl profile unlock"),
            Example("For half an hour.", "authctl profile unlock --for 30m"),
        ]

        @Option(
            name: .customLong("for"),
            help: ArgumentHelp(
                "How long it stays open: seconds, or with a unit (30m, 8h, 2d). Usually 8h.", valueName: "duration"))
        var duration: TimeSpan?

        func validate() throws {
            guard duration?.seconds != 0 else { throw ValidationError("--for must be 1 second or more") }
        }

        @OptionGroup var options: GlobalOptions

        var task: ErrorContext { ErrorContext("not unlocked", again: "authctl profile unlock") }

        func run(_ context: Context) async throws {
            guard let store = try context.profile.store(creating: false) else { throw NotSignedIn.noAccount }
            let status = try await store.unlockVault(for: duration?.seconds)
            VaultText.show(status, context)
            if status.kind == .passphrase, case .open = status.state, geteuid() == 0 {
                context.output.note("every process of root can read the key until then, those of sudo included")
            }
        }
    }

    struct Lock: ForEveryAccount {
        static let configuration = CommandConfiguration(
            commandName: "lock", abstract: "Close the key that seals the sessions, until a person opens it.",
            discussion: "A keyring is locked as a whole: other programs' secrets in it are locked too.")
        static let examples = [
            Example("Close the key.", "authctl profile lock"),
            Example("That of another directory.", "authctl profile lock --config-dir ~/.config/authctl-work"),
        ]

        @OptionGroup var options: GlobalOptions

        var task: ErrorContext { ErrorContext("not locked", again: "authctl profile lock") }

        func run(_ context: Context) async throws {
            guard let store = try context.profile.store(creating: false) else { throw NotSignedIn.noAccount }
            let status = try await store.lockVault()
            VaultText.show(status, context)
            if status.kind == .keyring {
                context.output.note("other programs' secrets in this keyring are locked with it")
            }
        }
    }
}

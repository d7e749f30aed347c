import ArgumentParser
import AuthCore
import Glibc

extension ProfileCommand {
    struct Unlock: AccountIndependent, PrintsJSON {
        static let output = VaultText.output
        static let configuration = CommandConfiguration(
            abstract: "Unlock the encryption key for the following commands.",
            discussion: """
                If the vault has a passphrase, the kernel stores the key for this user until the given time. The \
                keyring is unlocked by the desktop.
                """)
        static let examples: Examples = [
            "Unlock the key for eight hours.": "authctl profile unlock",
            "Unlock it for half an hour.": "authctl profile unlock --for 30m",
        ]

        @Option(
            name: .customLong("for"),
            help: .init("How long it stays unlocked, for example 90, 30m, 8h, 2d (default: 8h).", valueName: "time"))
        var duration: TimeSpan?

        func validate() throws { try require(duration?.seconds != 0, "--for must be 1 second or more") }

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("key not unlocked") }

        func run(_ context: Context) async throws {
            guard let store = try context.profile.store(creating: false) else { throw NotSignedIn.noAccount }
            let status = try await store.unlockVault(for: duration?.seconds)
            VaultText.show(status, context)
            if status.kind == .passphrase, case .open = status.state, geteuid() == 0 {
                context.output.note("until then, every process of root can read the key, also with sudo")
            }
        }
    }

    struct Lock: AccountIndependent, PrintsJSON {
        static let output = VaultText.output
        static let configuration = CommandConfiguration(
            abstract: "Lock the encryption key until a user unlocks it.",
            discussion: "A keyring is locked as a whole: other programs' secrets in it are locked too.")
        static let examples: Examples = [
            "Lock the key.": "authctl profile lock",
            "Lock the key of another directory.": "authctl profile lock --config-dir ~/.config/authctl-work",
        ]

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("key not locked") }

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

extension VaultText {
    static let output = View<VaultStatus> { Field("vault", of: \.self) }

    static func show(_ status: VaultStatus, _ context: Context) {
        context.output.done(
            output.json(status), "the sessions are encrypted with \(line(status, now: context.clock.now()))")
    }

    static func show(_ move: VaultMove, status: VaultStatus, in context: Context) {
        show(status, context)
        if move.from == .file, move.to != .file {
            context.output.note("the file '\(context.configDirectory.path)/key' was removed")
        }
        if let left = move.left {
            let failure = Failure(left.reason, while: ErrorContext())
            context.output.note(
                "a copy of the key is still in \(left.kind.name): \(failure.message); run the same command again to remove it"
            )
        }
    }
}

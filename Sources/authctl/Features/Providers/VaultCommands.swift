import ArgumentParser
import AuthCore
import Glibc

/// The vault of the encryption key. `profile set --vault` moves it too.
struct VaultCommand: AccountIndependent, PrintsJSON {
    static let output = VaultText.output
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Show, choose, lock and unlock the vault of the encryption key.",
        discussion: "'unlock' stores a key that has a passphrase in the kernel until the given time.")
    static let examples: Examples = [
        "Show where the key is.": "authctl vault show",
        "Store the key in the desktop keyring.": "authctl vault keyring",
        "Unlock the key for half an hour.": "authctl vault unlock --for 30m",
    ]

    enum Operation: String, CaseIterable, ExpressibleByArgument { case show, keyring, passphrase, file, lock, unlock }

    @Argument(help: "The operation: show, keyring, passphrase, file, lock or unlock.")
    var operation = Operation.show

    @Option(
        name: .customLong("for"),
        help: .init("How long it stays unlocked, for example 90, 30m, 8h, 2d (default: 8h).", valueName: "time"))
    var duration: TimeSpan?

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Accept a new passphrase of fewer than 8 characters (requires passphrase).")
    var weak = false

    var errorContext: ErrorContext { .init("vault \(operation.rawValue) failed") }

    func validate() throws {
        try require("passphrase", isGiven: operation == .passphrase, for: ["--weak": weak])
        try require("unlock", isGiven: operation == .unlock, for: ["--for": duration != nil])
        try require(duration?.seconds != 0, "--for must be 1 second or more")
    }

    func run(_ context: Context) async throws {
        if let kind = VaultKind(rawValue: operation.rawValue) {
            return try await VaultText.move(to: kind, acceptsWeak: weak, in: context)
        }
        switch operation {
        case .lock: try await VaultText.lock(context)
        case .unlock: try await VaultText.unlock(for: duration, in: context)
        default:
            let status = try await context.profile.vaultStatus()
            context.output.result(Self.output.json(status)) { [VaultText.sentence(status, context)] }
        }
    }
}

extension VaultText {
    static let output = View<VaultStatus> { Field("vault", of: \.self) }

    static func sentence(_ status: VaultStatus, _ context: Context) -> String {
        "the sessions are encrypted with \(line(status, now: context.clock.now()))"
    }

    private static func show(_ status: VaultStatus, _ context: Context) {
        context.output.done(output.json(status), sentence(status, context))
    }

    fileprivate static func unlock(for duration: TimeSpan?, in context: Context) async throws {
        guard let store = try context.profile.store(creating: false) else { throw NotSignedIn.noAccount }
        let status = try await store.unlockVault(for: duration?.seconds)
        show(status, context)
        if status.kind == .passphrase, case .open = status.state, geteuid() == 0 {
            context.output.note("until then, every process of root can read the key, also with sudo")
        }
    }

    fileprivate static func lock(_ context: Context) async throws {
        guard let store = try context.profile.store(creating: false) else { throw NotSignedIn.noAccount }
        let status = try await store.lockVault()
        show(status, context)
        if status.kind == .keyring {
            context.output.note("other programs' secrets in this keyring are locked with it")
        }
    }

    static func move(to kind: VaultKind, acceptsWeak: Bool, in context: Context) async throws {
        var context = context
        if kind == .passphrase {
            context = context.reopened { ($0.isPassphraseNew, $0.acceptsWeakPassphrase) = (true, acceptsWeak) }
        }
        guard let store = try context.profile.store(creating: true) else { return }
        let move = try await store.moveKey(to: kind)
        show(try await store.vaultStatus(), context)
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

import AuthCore
import Glibc

/// The sources of the vault's passphrase. The first configured one is used, even if it fails.
struct VaultPassphraseSources {
    let environment: Environment
    let settings: Settings

    static let file = "AUTHCTL_PASSPHRASE_FILE"
    static let command = "AUTHCTL_PASSPHRASE_COMMAND"
    static let credentials = "CREDENTIALS_DIRECTORY"
    static let credential = "authctl-passphrase"

    func given(_ purpose: PassphrasePurpose) throws -> VaultPassphrase? {
        if let descriptor = settings.passphraseDescriptor, settings.isPassphraseNew == (purpose == .choosing) {
            return try text(of: descriptor)
        }
        if let path = environment[Self.file] { return try text(inFile: path, named: "\(Self.file) names '\(path)'") }
        if let command = environment[Self.command] { return try output(of: command) }
        guard let directory = environment[Self.credentials] else { return nil }
        let path = directory + "/" + Self.credential
        guard access(path, F_OK) == 0 || errno != ENOENT else { return nil }
        return try text(inFile: path, named: "the credential '\(path)'")
    }

    /// Whether a source is configured, so that no user is required. Reads none of them.
    var isAny: Bool {
        settings.passphraseDescriptor != nil || environment[Self.file] != nil || environment[Self.command] != nil
            || environment[Self.credentials].map { access($0 + "/" + Self.credential, F_OK) == 0 } == true
    }

    // MARK: A descriptor

    private static let read = Lock<VaultPassphrase?>(nil)

    /// Reads a descriptor of the caller to its end, and closes it, so that child processes do not inherit it.
    private func text(of descriptor: Int32) throws -> VaultPassphrase {
        try Self.read.withLock { read in
            if let read { return read }
            // This process opened all other descriptors for itself.
            guard descriptor == 0 || Process.inherited.contains(descriptor) else {
                throw InputProblem(what: "descriptor \(descriptor)", reason: SystemText.of(EBADF))
            }
            defer { if descriptor > 2 { close(descriptor) } }
            let text = VaultPassphrase(try SecretInput.text(of: descriptor, "descriptor \(descriptor)"))
            read = text
            return text
        }
    }

    // MARK: A file

    private func text(inFile path: String, named name: String) throws -> VaultPassphrase {
        func refused(_ reason: String, hint: Hint? = nil) -> CommandError {
            CommandError(.invalidConfiguration, "\(name), which \(reason)", hint: hint)
        }
        if let kind = stat(at: path)?.kind, ![S_IFREG, S_IFIFO].contains(kind) {
            throw refused("is not a regular file")
        }
        do { return VaultPassphrase(try SecretInput.secretFile(path)) } catch let error as InputProblem {
            throw refused("cannot be read: \(error.reason)")
        } catch let error as InsecureFile {
            throw refused(error.reason, hint: error.hint)
        }
    }

    // MARK: A command

    private func output(of text: String) throws -> VaultPassphrase {
        func problem(_ reason: String) -> CommandError {
            CommandError(
                .invalidConfiguration, "\(Self.command): \(reason)",
                hint: "it runs without a shell; run it yourself to see its output")
        }
        guard let words = Shell.split(text) else { throw problem("it has an unterminated quote or backslash") }
        guard let name = words.first, !name.isEmpty else { throw problem("it does not name a program") }
        var program = Program(command: words, environment: Child.environment(from: environment))
        // The command may prompt the user.
        if !settings.isUnattended(environment) { program.timeout = settings.timeout }
        var result: Program.Result
        do { result = try program.finish() } catch {
            throw problem("'\(ServerText(name))' cannot be run: \(SystemText.of(error.number))")
        }
        defer { result.output.wipe() }
        guard !result.wasKilled else {
            throw problem("'\(ServerText(name))' took longer than \(program.timeout) s, or printed more than 1 MiB")
        }
        guard result.isSuccess else { throw problem("'\(ServerText(name))' \(end(result.status))") }
        var line = Array(result.output.prefix { $0 != 10 })
        defer { line.wipe() }
        if line.last == 13 { line.removeLast() }
        guard !line.isEmpty else { throw problem("'\(ServerText(name))' did not print a passphrase") }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw problem("the output of '\(ServerText(name))' is not UTF-8 text")
        }
        return VaultPassphrase(text)
    }

    private func end(_ status: Int32) -> String {
        let signal = status & 0x7F
        return signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    }
}

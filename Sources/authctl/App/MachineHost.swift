import AuthCore
import Glibc

/// This machine's environment, files and prompts for a profile or a CI job.
struct MachineHost: ProfileHost {
    let environment: Environment
    var settings: Settings
    let output: Output
    let clock: Clock
    let oneTimeCodes = OneTimeCodeLine()

    func variable(_ name: String) -> String? { environment[name] }

    var variableNames: [String] { Array(environment.variables.keys) }

    func text(of path: String) -> String? { try? SecretInput.file(path) }

    func secret(inFile path: String) throws -> String { try SecretInput.secretFile(path) }

    func file(_ path: String) throws -> NamedFile { try SecretInput.namedFile(path) }

    func passphrase(ofKey path: String) -> KeyPassphrase? {
        guard !settings.isUnattended(environment), case .text(let text) = Prompt.hiddenLine("Passphrase of '\(path)': ")
        else { return nil }
        return KeyPassphrase(text)
    }

    func oneTimeCode(_ factor: SecondFactor) throws -> SecondFactor.EnteredCode? {
        if settings.readsOneTimeCode, !Prompt.isTerminal {
            return SecondFactor.EnteredCode(try oneTimeCodes.next(), isTyped: false)
        }
        guard !settings.isUnattended(environment), !settings.isTerminalTaken else { return nil }
        return try output.ask(factor)
    }

    func refresh(isRunning: Bool) { if isRunning { RefreshSignals.begin() } else { RefreshSignals.end() } }

    var promptTimeout: Double? {
        settings.isUnattended(environment) || !Prompt.isTerminal ? nil : Double(settings.timeout)
    }

    func vaultPassphrase(_ purpose: PassphrasePurpose) throws -> GivenPassphrase? {
        let sources = VaultPassphraseSources(environment: environment, settings: settings)
        let acceptsWeak = settings.acceptsWeakPassphrase
        if let given = try sources.given(purpose) {
            return GivenPassphrase(given, isTyped: false, acceptsWeak: acceptsWeak)
        }
        guard !settings.isUnattended(environment), !settings.isTerminalTaken else { return nil }
        return try askPassphrase(purpose).map { GivenPassphrase($0, isTyped: true, acceptsWeak: acceptsWeak) }
    }

    func output(of command: [String]) async throws -> String {
        let result: Program.Result
        do {
            // The CI system's program requires the job's environment, but not authctl's secrets.
            let environment = Child.environment(from: environment)
            result = try await Program(command: command, environment: environment).run()
        } catch let error as Child.NotStarted {
            throw WorkloadError.command(command[0], ServerText(SystemText.of(error.number)))
        }
        guard result.isSuccess else {
            throw WorkloadError.command(command[0], ServerText(String(decoding: result.errors, as: UTF8.self)))
        }
        return String(decoding: result.output, as: UTF8.self)
    }

    func transport() throws -> any HTTPTransport {
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = "authctl/\(Version.text)"
        configuration.authorities = try CertificateFile.bytes(in: environment)
        configuration.proxies = ProxyRules(environment)
        let output = self.output
        if settings.verbose { configuration.trace = { output.trace($0) } }
        if output.isSeen { configuration.waiting = { output.note("waiting for \($0) (Ctrl-C cancels)") } }
        return CurlTransport(configuration)
    }

    func note(_ note: VaultNote) {
        switch note {
        case .waitingForUnlock(let seconds):
            output.note("waiting for the desktop to unlock the keyring, at most \(Int(seconds)) s")
        case .wrongPassphrase: output.prompt("Wrong passphrase.")
        case .samePassphrase: output.note("the passphrase did not change; --passphrase-fd reads a new one")
        case .cached(let end):
            output.note(
                "the kernel stores the key for \(RelativeTime.span(end - clock.now())), or until authctl vault lock")
        case .notCached(let refusal): output.note("the passphrase is required each time: \(refusal.message)")
        }
    }

    func note(_ note: RequestNote) {
        switch note {
        case .serverTimeUsed(let ahead, let origin):
            output.note(
                "this clock is \(RelativeTime.ahead(ahead)) that of '\(origin)', which rejected the time in the signature; authctl signed again with the server's time"
            )
        }
    }

    func note(_ problem: SystemConfigurationError) { output.note("system configuration ignored: \(problem.message)") }

    func note(_ note: DirectoryNote) {
        let text =
            switch note {
            case .emulator(let host): "accounts are stored in the emulator at '\(host)', which does not sign its tokens"
            case .notRevoked(let provider, let reason):
                "'\(provider)' was not informed that the account was deleted (\(reason.text)), and still lists the app"
            case .notSeen:
                "the change was made, but the account could not be read from the project: the output may be outdated"
            case .keysUnavailable:
                "the project's keys are not available: the next use of this session requests a new token"
            case .merged(let providers):
                "the project removed \(quoted: providers.map { ServerText.shown($0) }) from this account, because another sign-in method verified its address"
            }
        output.note(text)
    }
}

extension DirectoryNote.Reason {
    fileprivate var text: String {
        switch self {
        case .refused(let code): "the project responded with \(code)"
        case .notEmulated: "the emulator does not support it"
        case .noToken: "this machine has no token of it"
        }
    }
}

extension Clock {
    /// The system's wall clock; sleeping uses a monotonic clock.
    static let system = Clock(now: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    })
}

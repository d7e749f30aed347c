import AuthCore

extension SystemConfigurationError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { message.hint(hint) }

    /// The file, the line and what is wrong there.
    var message: String { "'\(shown: path)'\(line.map { " line \($0)" } ?? ""): \(shown: fault.message)" }

    /// Who can mend it is root; what is concerned can be had without.
    private var hint: Hint {
        switch fault {
        case .file(.owner): return .run("sudo chown root: \(path)")
        case .file(.writable): return .run("sudo chmod go-w \(path)")
        default:
            let own: ShellCommand =
                provider.map { "authctl providers add \($0) --help" } ?? "authctl providers add --help"
            return "tell who looks after this machine; until then an entry of your own: \(run: own)"
        }
    }
}

extension SystemConfigurationError.Fault {
    fileprivate var message: String {
        switch self {
        case .file(let reason): reason.message
        case .content(let fault): fault.message
        case .secret(let key):
            "'\(key)' is a secret, and everybody reads this file: nothing of it is used"
        case .profiles: "'profiles' are a person's; an organization's 'providers' stand at the top of its file"
        case .setting(let setting, let fault): "\(setting): \(fault.message)"
        case .unknownProvider(let id): "'\(id)' is neither a built-in provider nor 'oidc.NAME'"
        }
    }
}

extension SystemFileFault.Reason {
    fileprivate var message: String {
        switch self {
        case .system(let code): "it cannot be read: \(SystemText.of(code))"
        case .owner(let user): "it belongs to user \(user), and not to root: whoever that is could name any provider"
        case .writable(let mode):
            "others than root can write there, mode 0\(String(mode, radix: 8)): they could name any provider"
        case .otherKind: "it is no plain file or directory, as it should be"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        }
    }
}

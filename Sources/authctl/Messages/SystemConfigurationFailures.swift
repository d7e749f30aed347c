import AuthCore

extension SystemConfigurationError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation { message.hint(hint) }

    var message: String { "'\(shown: path)'\(line.map { " line \($0)" } ?? ""): \(shown: fault.message)" }

    /// Only root can fix the file; users can go on without it.
    private var hint: Hint {
        switch fault {
        case .file(.owner): return .run("sudo chown root: \(path)")
        case .file(.writable): return .run("sudo chmod go-w \(path)")
        default: return "until it is corrected, configure the provider yourself: \(run: .setup(provider))"
        }
    }
}

extension SystemConfigurationError.Fault {
    fileprivate var message: String {
        switch self {
        case .file(let reason): reason.message
        case .content(let fault): fault.message
        case .secret(let key): "'\(key)' is a secret, but every user can read this file; the file is ignored"
        case .profiles: "'profiles' is only for users' files; in a system configuration, 'providers' is a top-level key"
        case .setting(let setting, let fault): "\(setting): \(fault.message)"
        case .unknownProvider(let id): "'\(id)' is neither a built-in provider nor 'oidc.NAME'"
        }
    }
}

extension PathFault.Reason {
    var message: String {
        switch self {
        case .system(let code): "it cannot be read: \(SystemText.of(code))"
        case .owner(let user): "it belongs to user \(user), not to root; that user could configure any provider"
        case .writable(let mode):
            "users other than root can write it, mode 0\(String(mode, radix: 8)); they could configure any provider"
        case .otherKind: "it is not a regular file or directory"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        }
    }
}

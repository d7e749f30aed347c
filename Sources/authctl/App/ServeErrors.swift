import AuthCore
import Glibc

// Errors that `serve` reports at its start, at its end and to its clients.
extension CommandError {
    /// - Parameters:
    ///   - corrected: the value that was probably meant.
    ///   - typed: the words of the command line.
    static func invalidAllow(_ text: String, _ problem: String, corrected: String?, typed: [String]) -> CommandError {
        let words = ["serve", "--socket", "FILE", "--allow", text]
        return invalidAllow(text, problem, corrected ?? "provider=ID", typed, words)
    }

    /// - Parameters:
    ///   - value: the corrected value for the hint.
    ///   - words: the command, if `typed` does not contain the value.
    static func invalidAllow(
        _ text: String, _ problem: String, _ value: String, _ typed: [String], _ words: [String]
    ) -> CommandError {
        func corrected(_ words: [String]) -> [String] {
            words.map { $0 == text ? value : $0 == "--allow=\(text)" ? "--allow=\(value)" : $0 }
        }
        let isTyped = corrected(typed) != typed
        return CommandError(
            .usage, "invalid value of --allow '\(shown: text)': \(shown: problem)",
            hint: .run(ShellCommand(words: ["authctl"] + corrected(isTyped ? typed : words))))
    }

    /// - Parameter additions: texts that make the value name exactly one session.
    static func allowIsAmbiguous(_ text: String, adding additions: [String]) -> CommandError {
        CommandError(
            .usage, "'\(shown: text)' of --allow could be several sessions",
            hint: "use one of these values: \(list: additions.map { text + $0 })")
    }

    static var unsuitableSystemdSocket: CommandError {
        CommandError(
            .usage, "systemd passed something else than one Unix socket that listens",
            hint: "in the socket unit: one ListenStream= with a path, and Accept=no")
    }

    static func socketDirectory(_ directory: String) -> CommandError {
        CommandError(
            .operationNotAllowed,
            "others can replace files in '\(shown: directory)', a directory on the path of the socket",
            hint: "use a directory that only you can write to: --socket \"$XDG_RUNTIME_DIR/authctl.sock\"")
    }

    static func socketInUse(_ path: String) -> CommandError {
        CommandError(
            .portInUse, "another process listens at '\(shown: path)'",
            hint: "end that process, or use another path with --socket")
    }

    static func notASocket(_ path: String) -> CommandError {
        CommandError(
            .usage, "'\(shown: path)' exists, and is not a socket of this user",
            hint: "use another path with --socket", isComplete: false)
    }

    static func socketPathTooLong(_ path: String, limit: Int) -> CommandError {
        CommandError(
            .usage, "the socket's path is longer than \(limit) bytes: '\(shown: path)'", hint: "use a shorter path")
    }

    static var sessionsOver: CommandError {
        CommandError(.signInRequired, "none of the allowed sessions can be used any more", hint: .run("authctl status"))
    }

    // MARK: To clients

    static func otherUser(_ user: UInt32) -> CommandError {
        CommandError(
            .operationNotAllowed,
            user == UInt32.max ? "this port does not serve other users" : "this socket does not serve user \(user)",
            hint: "run it as the user of the server")
    }

    static func tokenNotAllowed(_ allowed: [String]) -> CommandError {
        CommandError(
            .operationNotAllowed, "the socket does not allow this token",
            hint: "to allow it, add --allow to the server's command; allowed now: \(list: allowed)")
    }

    static func severalTokensAllowed(_ allowed: [String]) -> CommandError {
        CommandError(
            .usage, "the socket allows several tokens: choose one (\(allowed.joined(separator: " or ")))",
            hint: "add the provider, the resource or the account")
    }

    // MARK: AUTHCTL_SOCKET

    static func tokenSocketUnreachable(_ path: String, _ code: Int32) -> CommandError {
        let isSilent = code == EAGAIN
        let reason = isSilent ? "its server does not answer" : SystemText.of(code)
        return CommandError(
            .networkFailed, "the socket of AUTHCTL_SOCKET '\(shown: path)' cannot be used: \(reason)",
            hint: isSilent
                ? "restart its server, or unset AUTHCTL_SOCKET"
                : "to start its server: \(run: "authctl serve --socket \(path) --allow provider=ID")")
    }

    static func tokenSocketOfOther(_ path: String, _ user: UInt32) -> CommandError {
        CommandError(
            .operationNotAllowed, "the socket of AUTHCTL_SOCKET '\(shown: path)' belongs to a process of user \(user)",
            hint: "set AUTHCTL_SOCKET to a socket of your own")
    }

    static func tokenSocketInvalid(_ path: String) -> CommandError {
        CommandError(
            .invalidResponse,
            "the response of the socket '\(shown: path)' is not a token", hint: "check AUTHCTL_SOCKET")
    }

    /// - Parameters:
    ///   - message: the server's error message, and `hint` its hint.
    static func tokenSocketRefused(
        _ path: String, status: Int, isLocked: Bool, _ message: String?, hint: String?
    ) -> CommandError {
        let code: ErrorCode =
            switch status {
            case 400: .usage
            case 401: isLocked ? .vaultLocked : .signInRequired
            case 403: .operationNotAllowed
            case 501: .unsupported
            case 503: .providerUnavailable
            default: .requestFailed
            }
        let reason = ServerText(message ?? "status \(status)")
        return CommandError(
            code, "the token socket '\(shown: path)' refused: \(reason)",
            hint: hint.map { Hint(prose: "on the machine where the server of this socket runs: \(ServerText($0))") }
                ?? "see the audit file of the server", isComplete: false)
    }

    static func notThroughSocket(_ options: [String]) -> CommandError {
        CommandError(
            .usage, "\(options.joined(separator: ", ")) cannot be used with AUTHCTL_SOCKET",
            hint: "to use the sessions of this machine: unset AUTHCTL_SOCKET")
    }
}

/// A file of `serve`, other than the store, cannot be used.
struct ServeFileError: UserFacingError {
    let file: String
    let error: StoreError

    var code: ErrorCode { error.code }
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation { error.explanation(of: file) }
}

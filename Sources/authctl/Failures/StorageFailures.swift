import AuthCore
import Glibc

extension StoreError: Told {
    func told(_ task: Undertaking) -> Failure {
        func make(_ message: String, _ hint: Hint?, code: Failure.Code = .storeUnavailable) -> Failure {
            Failure(code, "store refused: \(message)", hint: hint)
        }
        switch self {
        case .system(let operation, let path, let code):
            return make(
                "cannot \(operation) '\(path)': \(SystemText.of(code))", "check the disk and who owns \(path)")
        case .wrongOwner(let path, let owner):
            return make("'\(path)' belongs to user \(owner)", StoreError.own(path))
        case .foreignPath(let path, let place, let owner):
            return make(
                "'\(place)', on the path to '\(path)', belongs to user \(owner)",
                geteuid() == 0
                    ? "with sudo, use root's home directory (sudo -H), or set AUTHCTL_CONFIG_DIR to a directory of root"
                    : "set AUTHCTL_CONFIG_DIR to a directory of your own")
        case .tooOpen(let path, let mode, let wanted):
            return make(
                "'\(path)' can be read or written by other people, mode 0\(String(mode, radix: 8))",
                mode & S_ISVTX != 0 ? StoreError.ownDirectory : .run("chmod \(String(wanted, radix: 8)) \(path)"))
        case .notAPlainFile(let path):
            return make(
                "'\(path)' is a link or no plain file",
                "look at what it is, then: \(run: "mv \(path) \(path + ".old")")")
        case .damaged(let path, let reason):
            return make(
                "'\(path)' is damaged: \(reason)",
                "nothing was changed; restore it, or: \(run: "mv \(path) \(path + ".damaged")")"
            )
        case .newer(let path):
            return make("'\(path)' was made by a newer authctl", "update authctl; nothing was changed")
        case .lostKey(let path):
            return make(
                "the key '\(path)' is gone or is not the one this store was sealed with; nothing was changed",
                "restore the key; or start over, without the sessions and client secrets it sealed: \(StoreError.startOver(path))"
            )
        case .damagedEntry(let what):
            return make("the \(what) does not open with this key", "\(run: "authctl signout"), then sign in again")
        case .busy(let name, let holder):
            return make(
                "'\(name)' is held by \(StoreError.holder(holder))",
                "try again when it is done",
                code: .storeBusy)
        case .notWritable(let path, let code):
            return make("'\(path)' cannot be written to: \(SystemText.of(code))", StoreError.writable(path, code))
        case .tooLong(let path, let limit):
            return Failure(
                .invalidConfiguration, "'\(path)' cannot be read: longer than \(limit) bytes", hint: "mend the file")
        case .database(let reason): return make("the database cannot be used: \(reason)", "check the disk")
        }
    }

    private static let ownDirectory: Hint = "set AUTHCTL_CONFIG_DIR to a directory of your own"

    /// A command is only proposed for what has the name of something that authctl makes: `/tmp` stays root's.
    private static func own(_ path: String) -> Hint {
        var status = stat()
        let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard isDirectory, !path.hasSuffix("/authctl"), !path.hasSuffix("/locks") else {
            return .run("sudo chown -R \"$(id -u)\" \(path)")
        }
        return ownDirectory
    }

    /// Who holds a lock, by what its file says: a process, and since when.
    static func holder(_ text: String?) -> String {
        let words = text?.split(separator: " ") ?? []
        guard let process = words.first else { return "another process" }
        return "process \(process)" + (words.count > 1 ? " since \(words[1])" : "")
    }

    /// The commands that put a store without its key aside; what is in `config.yaml` stays.
    /// - Parameter file: any that stands in the config directory.
    static func startOver(_ file: String) -> Hint {
        let directory = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        let all: [String] = ([Store.name] + Store.keyFiles).map { "\(directory)/\($0)" }
        let files = all.filter { file in access(file, F_OK) == 0 }
        return .run(files.map { "mv \($0) \($0 + ".lost")" })
    }

    private static func writable(_ path: String, _ code: Int32) -> Hint {
        switch code {
        case EROFS: "its file system is read-only: set AUTHCTL_CONFIG_DIR to a directory of another one"
        case ENOSPC: "make room on its disk, then again"
        case EFBIG: "raise the limit of this shell: \(run: "ulimit -S -f unlimited")"
        default: .run("chmod -R u+w \(path)")
        }
    }
}

import AuthCore
import Glibc

extension CertificateFileError: UserFacingError {
    func explanation(_ context: ErrorContext) -> Explanation {
        let place = fault?.path ?? path
        var remedy: Hint? = .run("unset SSL_CERT_FILE")
        if setting != nil { remedy = context.setting(["--ca-file": "FILE"], if: "for another file: ") }
        let reason: String
        switch fault?.reason {
        case nil:
            reason = "contains no certificates\(isDER ? " in PEM format" : "")"
            if isDER { remedy = .run("openssl x509 -inform der -in \(path) -out \(path + ".pem")") }
        case .writable:
            reason = "other users can replace: they can write to '\(shown: place)'"
            remedy =
                !FileTrust.mayWrite(place) && errno == EROFS
                ? "mount the file itself, not its directory; in Kubernetes: subPath" : .run("chmod go-w \(place)")
        case .owner(let user): reason = "user \(user) can replace, who owns '\(shown: place)'"
        case .system(let code): reason = "cannot be read: \(SystemText.of(code))"
        case .otherKind: reason = "is not a file"
        case .tooLong(let limit): reason = "is longer than \(limit) bytes"
        }
        return "\(setting ?? "SSL_CERT_FILE") is '\(shown: path)', which \(reason)".hint(remedy)
    }
}

extension StoreError: UserFacingError {
    var isComplete: Bool { true }

    func explanation(_ context: ErrorContext) -> Explanation { explanation(of: "the store") }

    /// - Parameter thing: what cannot be used.
    func explanation(of thing: String) -> Explanation {
        switch self {
        case .system(let operation, let path, let code):
            "\(thing) cannot be used: cannot \(operation) '\(path)': \(SystemText.of(code))"
                .hint(
                    StoreError.remedy(
                        path, code: code, of: thing,
                        otherwise: code == EACCES && thing == "the store" && access(path, F_OK) != 0
                            ? StoreError.otherPlace() : nil))
        case .wrongOwner(let path, let owner):
            "\(thing) cannot be used: '\(path)' belongs to user \(owner)".hint(StoreError.own(path))
        case .foreignPath(let path, let place, let owner):
            "\(thing) cannot be used: '\(place)', on the path to '\(path)', belongs to user \(owner)".hint(
                geteuid() == 0 && thing == "the store"
                    ? "with sudo, use root's home directory: sudo -H" : StoreError.otherPlace(of: thing))
        case .exposedPath(let path, let place, let mode):
            "\(thing) cannot be used: '\(place)', on the path to '\(path)', can be written to by other users, mode 0\(String(mode, radix: 8))"
                .hint("\(run: "chmod go-w \(place)"), or \(StoreError.otherPlace(of: thing))")
        case .tooOpen(let path, let mode, let expected):
            "\(thing) cannot be used: '\(path)' can be read or written by other users, mode 0\(String(mode, radix: 8))"
                .hint(
                    mode & S_ISVTX != 0 ? StoreError.otherPlace() : .run("chmod \(String(expected, radix: 8)) \(path)"))
        case .notADirectory(let path):
            "the store cannot be used: '\(path)' is a link or not a directory".hint(
                path.hasSuffix("/locks") ? StoreError.moveAway(path) : StoreError.otherPlace())
        case .notAPlainFile(let path): StoreError.notAPlainFile(path, thing)
        case .damaged(let path, let reason):
            "\(thing) cannot be used: '\(path)' is damaged: \(reason)"
                .hint(
                    "nothing was changed; restore it, or start over, without accounts, sessions and client secrets: \(run: "mv \(path) \(path + ".damaged")")"
                )
        case .newer(let path):
            "\(thing) cannot be used: '\(path)' was created by a newer version of authctl".hint(
                "update authctl; nothing was changed")
        case .lostKey(let path):
            "\(thing) cannot be used: the key '\(path)' is missing or does not match this store; nothing was changed"
                .hint(
                    "restore the key; or start over, without accounts, sessions and client secrets: \(StoreError.startOver(path))"
                )
        case .damagedEntry(let what):
            "\(thing) cannot be used: the \(what) cannot be decrypted with this key"
                .hint("\(run: "authctl signout"), then sign in again")
        case .busy(let name, let holder):
            "\(thing) cannot be used: '\(name)' is locked by \(StoreError.holder(holder))"
        case .notWritable(let path, let code):
            "\(thing) cannot be used: '\(path)' cannot be written to: \(SystemText.of(code))".hint(
                StoreError.remedy(path, code: code, otherwise: .run("chmod -R u+rwX \(path)")))
        case .noLocks(let path):
            "\(thing) cannot be used: the file system of '\(path)' has no locks".hint(
                "set AUTHCTL_CONFIG_DIR to a directory on a local disk")
        case .tooLong(let path, let limit): "'\(path)' is longer than \(limit) bytes"
        case .database(let reason): "\(thing) cannot be used: the database reports: \(reason)"
        }
    }

    private static func notAPlainFile(_ path: String, _ thing: String) -> Explanation {
        let isLink = stat(at: path, followsLinks: false)?.kind == S_IFLNK
        guard let file = stat(at: path), file.kind == S_IFREG, isLink || file.st_nlink > 1 else {
            return "\(thing) cannot be used: '\(path)' is a link or not a regular file".hint(
                path.hasPrefix("/dev/") ? "use a regular file" : moveAway(path))
        }
        let (problem, copy) = (isLink ? "is a link" : "has a second name (a hard link)", path + ".copy")
        return "\(thing) cannot be used: '\(path)' \(problem)".hint(
            "to use a copy of it: \(run: "cp -p \(path) \(copy)") && \(run: "mv \(copy) \(path)")")
    }

    private static func moveAway(_ path: String) -> Hint { .run("mv \(path) \(path + ".old")") }

    private static func otherPlace(of thing: String = "the store") -> Hint {
        thing == "the store" ? "set AUTHCTL_CONFIG_DIR to a directory that you own" : "choose another file with --audit"
    }

    /// Suggests `chown` only for files, and for directories with a name that authctl creates: `/tmp` must stay root's.
    private static func own(_ path: String) -> Hint {
        guard stat(at: path)?.kind == S_IFDIR, !path.hasSuffix("/authctl"), !path.hasSuffix("/locks") else {
            return .run("sudo chown -R \"$(id -u)\" \(path)")
        }
        return otherPlace()
    }

    /// The process that holds a lock, and since when, from the lock file.
    static func holder(_ text: String?) -> String {
        let words = text?.split(separator: " ") ?? []
        guard let process = words.first else { return "another process" }
        return "process \(process)" + (words.count > 1 ? " since \(words[1])" : "")
    }

    /// The commands that rename a store without its key; `config.yaml` is unchanged.
    static func startOver(_ file: String) -> Hint {
        let directory = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        let all: [String] = ([Store.name] + Store.keyFiles).map { "\(directory)/\($0)" }
        let files = all.filter { file in access(file, F_OK) == 0 }
        return .run(files.map { "mv \($0) \($0 + ".lost")" })
    }

    private static func remedy(_ path: String, code: Int32, of thing: String = "the store", otherwise: Hint?) -> Hint? {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        func isOwn(_ path: String) -> Bool { stat(at: path).map { FileTrust($0).isOwn } ?? false }
        switch code {
        case EROFS where thing != "the store": return otherPlace(of: thing)
        case EROFS: return "set AUTHCTL_CONFIG_DIR to a directory on another file system"
        case ENOSPC: return nil
        case EFBIG: return "raise the limit of this shell: \(run: "ulimit -S -f unlimited")"
        case EMFILE: return .raiseFileLimit
        case ENOENT where !directory.isEmpty && access(directory, F_OK) != 0: return .run("mkdir -p \(directory)")
        case EACCES where isOwn(path): return .run("chmod -R u+rwX \(path)")
        case EACCES where access(path, F_OK) != 0 && isOwn(directory): return .run("chmod u+rwx \(directory)")
        default: return otherwise
        }
    }
}

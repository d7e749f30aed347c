import AuthCore
import Glibc

/// A file with one JSON line for each use of a socket. The file is opened for each line, so that it can be rotated.
struct AuditLog: Sendable {
    static let name = "serve-audit.jsonl"

    let path: String

    /// The result of a request; `sent` before it is known.
    enum Outcome: String { case given, sent, forwarded, failed, refused }

    /// The maximum length in bytes of a text, because clients choose some of them.
    private static let maximumTextLength = 1024

    /// Writes one line. A token must not be handed out or used if this throws.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970.
    ///   - details: what was requested, and the result. Never a token.
    func record(_ peer: SocketPeer, as outcome: Outcome, at time: Int64, with details: JSONObject)
        throws(ServeFileError)
    {
        var line: JSONObject = [
            "time": .string(HTTPDate.rfc3339(time)), "outcome": .string(outcome.rawValue),
            "process": peer.process.map { JSONValue(Int64($0)) } ?? .null, "program": JSONValue(peer.program),
            "user": peer.user.map { JSONValue(Int64($0)) } ?? .null,
        ]
        for member in details.members {
            let text = (member.value.string ?? "").utf8
            let start = String(decoding: text.prefix(AuditLog.maximumTextLength), as: UTF8.self)
            line[member.name] = text.count > AuditLog.maximumTextLength ? .string(start + "…") : member.value
        }
        try append(Array((JSONValue.object(line).text + "\n").utf8))
    }

    private func append(_ line: [UInt8]) throws(ServeFileError) {
        do throws(StoreError) { try appended(line) } catch {
            throw ServeFileError(file: "the audit file", error: error)
        }
    }

    private func appended(_ line: [UInt8]) throws(StoreError) {
        // Others must not replace the file.
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let directory = try TrustedPath.ofConfigDirectory.directory("/" + path[..<slash], last: .parent)
        defer { close(directory) }
        let file = openat(
            directory, String(path[slash...].drop { $0 == "/" }),
            O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
        guard file >= 0 else { throw failure("open") }
        defer { close(file) }
        guard let status = stat(of: file) else { throw failure("look at") }
        guard status.kind == S_IFREG else { throw .notAPlainFile(path: path) }
        let trust = FileTrust(status)
        guard trust.isOwn else { throw .wrongOwner(path: path, owner: trust.owner) }
        guard trust.isPrivate else { throw .tooOpen(path: path, mode: trust.mode, expected: 0o600) }
        guard !line.isEmpty else {
            guard FileTrust.hasSpace(for: 1, at: path) else { throw failure("write", ENOSPC) }
            return
        }
        // The last line may be incomplete after a full disk.
        var last: UInt8 = 10
        if status.st_size > 0, pread(file, &last, 1, status.st_size - 1) != 1 { throw failure("read") }
        let line = last == 10 ? line : [10] + line
        // One call of write(2), so that lines of several servers are not mixed.
        let count = Glibc.write(file, line, line.count)
        guard count == line.count else { throw failure("write", count < 0 ? errno : ENOSPC) }
    }

    /// Checks that the file can be opened for writing, and that the disk is not full.
    func check() throws(ServeFileError) { try append([]) }

    private func failure(_ operation: String, _ code: Int32 = errno) -> StoreError {
        .system(operation: operation, path: path, code: code)
    }
}

import AuthCore
import Glibc

/// Writes the emails that a provider would send to a file, as one JSON object per line.
final class Mailbox: Sendable {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func add(_ mail: JSONValue) {
        // One call of write(2), so that concurrent readers see whole lines.
        let line = Array((mail.text + "\n").utf8)
        _ = write(descriptor, line, line.count)
    }
}

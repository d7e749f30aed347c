import AuthCore
import Glibc

/// The mails that an emulated provider would send: written down, a JSON object a line.
final class Mailbox: Sendable {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    func add(_ mail: JSONValue) {
        // One write, so that concurrent readers see whole lines.
        let line = Array((mail.text + "\n").utf8)
        _ = write(descriptor, line, line.count)
    }
}

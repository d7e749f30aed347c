import AuthCore
import Glibc

/// Reads files and open descriptors.
enum DescriptorInput {
    private static let maximumLength = 1 << 20

    static func bytes(of descriptor: Int32, _ what: String, limit: Int) throws -> [UInt8] {
        do throws(PathFault.Reason) {
            return try BoundedRead.all(of: descriptor, limit: limit, isSecret: true)
        } catch {
            if case .system(let code) = error { throw InputProblem(what: what, reason: SystemText.of(code)) }
            throw InputProblem(what: what, reason: "longer than \(limit >> 20) MiB")
        }
    }

    static func text(of descriptor: Int32, _ what: String, droppingNewline: Bool = true) throws -> String {
        var bytes = try bytes(of: descriptor, what, limit: maximumLength)
        defer { bytes.wipe() }
        if droppingNewline, bytes.last == 10 {
            bytes.removeLast()
            if bytes.last == 13 { bytes.removeLast() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InputProblem(what: what, reason: "not UTF-8 text")
        }
        guard !text.isEmpty else { throw InputProblem(what: what, reason: "it is empty") }
        return text
    }

    /// Reads a secret from a file with a safe owner and mode.
    static func secretFile(_ path: String) throws -> String {
        try open(path) { descriptor in
            if let insecurity = InsecureFile.found(descriptor, at: path) { throw insecurity }
            return try text(of: descriptor, "'\(path)'")
        }
    }

    static func open<R>(_ path: String, _ body: (Int32) throws -> R) throws -> R {
        // Blocks until a pipe has a writer, like other programs.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw InputProblem(what: name(path), reason: SystemText.of(errno)) }
        defer { close(descriptor) }
        return try body(descriptor)
    }

    private static func name(_ path: String) -> String { Shell.mayBeSecret(path) ? "the given file" : "'\(path)'" }
}

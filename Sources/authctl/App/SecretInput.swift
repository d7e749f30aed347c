import AuthCore
import Glibc

/// Secrets come from files and standard input, never from an argument.
enum SecretInput {
    static func read(_ source: String, prompt question: String, in context: Context) throws -> String {
        guard source == "-" else { return try file(source) }
        guard Prompt.isTerminal else {
            // The next line is the one-time code.
            if context.settings.readsOneTimeCode { return try line() }
            return try DescriptorInput.text(of: 0, "standard input", droppingNewline: true)
        }
        guard !context.isUnattended else { throw SignInError.interactionRequired }
        switch Prompt.hiddenLine(question) {
        case .text(let typed): return typed
        case .ended: throw CancellationError()
        default: throw InputProblem(what: "standard input", reason: "it is empty")
        }
    }

    /// The line after the password or the link.
    static func code() throws -> String { try line(missing: "the line with the one-time code is missing") }

    static func line(missing: String = "its first line is empty") throws -> String {
        var bytes: [UInt8] = []
        defer { bytes.wipe() }
        var byte: UInt8 = 0
        while bytes.count < 1 << 16 {
            let count = Glibc.read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, byte != 10 else { break }
            bytes.append(byte)
        }
        if bytes.last == 13 { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw InputProblem(what: "standard input", reason: missing)
        }
        return text
    }

    static func file(_ path: String) throws -> String {
        try DescriptorInput.open(path) { try DescriptorInput.text(of: $0, "'\(path)'") }
    }

    static func namedFile(_ path: String) throws -> NamedFile {
        try DescriptorInput.open(path) { descriptor in
            let text = try DescriptorInput.text(of: descriptor, "'\(path)'", droppingNewline: false)
            return NamedFile(Array(text.utf8), insecurity: InsecureFile.found(descriptor, at: path))
        }
    }

    static func bytes(_ source: String) throws -> [UInt8] {
        guard source != "-" else { return try DescriptorInput.bytes(of: 0, "standard input", limit: 64 << 20) }
        return try DescriptorInput.open(source) { try DescriptorInput.bytes(of: $0, "'\(source)'", limit: 64 << 20) }
    }
}

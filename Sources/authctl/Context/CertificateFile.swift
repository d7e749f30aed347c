import AuthCore
import Glibc

/// The CA file that SSL_CERT_FILE names. Users who can change or replace this file can choose the trusted CAs.
enum CertificateFile {
    static func named(in environment: Environment) throws -> String? {
        guard let path = environment["SSL_CERT_FILE"] else { return nil }
        func refused(_ reason: String, _ remedy: ShellCommand) -> CommandError {
            CommandError(.invalidConfiguration, "SSL_CERT_FILE is '\(path)', which \(reason)", hint: .run(remedy))
        }
        guard let status = stat(at: path) else { throw refused("cannot be read", "unset SSL_CERT_FILE") }
        guard !FileTrust(status).isWritableByOthers, FileTrust(status).isTrusted else {
            throw refused("other users can change", "chmod go-w \(path)")
        }
        if let directory = openDirectory(above: path) {
            throw refused("other users can replace: they can write to '\(directory)'", "chmod go-w \(directory)")
        }
        // A pipe can be read only once.
        guard status.kind == S_IFREG else { return path }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw refused("cannot be read", "unset SSL_CERT_FILE") }
        defer { close(descriptor) }
        let bytes = try DescriptorInput.bytes(of: descriptor, "'\(path)'", limit: 64 << 20)
        guard String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----") else {
            throw refused("contains no certificates", "unset SSL_CERT_FILE")
        }
        return path
    }

    private static func openDirectory(above path: String) -> String? {
        guard let resolved = ConfigDirectory.resolved(path) else { return nil }
        var rest = Substring(resolved)
        var isOwn = true
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            let directory = rest.isEmpty ? "/" : String(rest)
            guard let status = stat(at: directory) else { return directory }
            let trust = FileTrust(status)
            if trust.isWritableByOthers && !trust.isSticky || isOwn && !trust.isTrusted { return directory }
            isOwn = false
        }
        return nil
    }
}

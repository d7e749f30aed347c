import Glibc
import Testing

@testable import AuthCore

@Suite struct `The file in SSL_CERT_FILE` {
    private let folder: StoreFolder
    private var path: String { folder.directory.path(of: "ca.pem") }
    private let text = Array("-----BEGIN CERTIFICATE-----\n".utf8)

    init() throws {
        folder = try StoreFolder()
        try folder.directory.createFile("ca.pem", text)
    }

    private func fault() -> CertificateFileError? {
        do throws(CertificateFileError) {
            _ = try CertificateFile.bytes(in: ["SSL_CERT_FILE": path])
            return nil
        } catch { return error }
    }

    @Test func `Its bytes are the CAs, and without the variable the system's are used`() throws {
        #expect(try CertificateFile.bytes(in: ["SSL_CERT_FILE": path]) == text)
        #expect(try CertificateFile.bytes(in: [:]) == nil && CertificateFile.bytes(in: ["SSL_CERT_FILE": ""]) == nil)
    }

    @Test func `A missing file, one without certificates and one that others can write are refused`() throws {
        try #require(chmod(path, 0o666) == 0)
        let writable = PathFault(path: try #require(ConfigDirectory.resolved(path)), .writable(mode: 0o666))
        #expect(fault() == CertificateFileError(path: path, fault: writable))
        try folder.directory.replaceFile("ca.pem", [1])
        #expect(fault() == CertificateFileError(path: path, fault: nil))
        try #require(unlink(path) == 0)
        #expect(fault()?.fault?.reason == .system(code: ENOENT))
    }

    @Test func `The library refuses it too, before a request`() throws {
        try #require(chmod(path, 0o666) == 0)
        let configuration = Sessions.Configuration(environment: ["SSL_CERT_FILE": path])
        let writable = PathFault(path: try #require(ConfigDirectory.resolved(path)), .writable(mode: 0o666))
        #expect(throws: CertificateFileError(path: path, fault: writable)) {
            try ProgramHost(configuration: configuration).transport()
        }
        try #require(chmod(path, 0o600) == 0)
        _ = try ProgramHost(configuration: configuration).transport()
    }
}

import TestSupport
import Testing

@testable import AuthCore

/// RFC 8705.
@Suite struct `Files with a client certificate` {
    private let vector: JSONObject

    init() throws { vector = try Vectors.object("rfc8705/appendix-a.json") }

    private func text(_ name: String) throws -> [UInt8] { Array(try #require(vector[name]?.string).utf8) }

    @Test func `The certificate of RFC 8705 appendix A has the published thumbprint`() throws {
        let chain = try CertificateChain(pem: text("certificate"))
        #expect(JSONValue.string(chain.thumbprint) == vector["x5t#S256"])
        #expect(chain.subject == "CN=mtls" && chain.isSelfSigned)
        #expect(chain.notBefore == 1_539_866_229 && chain.notAfter == 1_651_495_029)
    }

    @Test func `Certificates are read in file order, and text around them is ignored`() throws {
        let pem = try text("certificate")
        let whole = try CertificateChain(pem: pem)
        let comment = Array(String(repeating: "# a comment\n", count: 1000).utf8)
        let key = try PrivateKey.generate(.ellipticCurve(.p256)).pem()
        for text in [comment + pem, key + pem, pem + key, Array("subject=CN = mtls\r\n".utf8) + pem + comment] {
            #expect(try CertificateChain(pem: text) == whole)
        }
        let other = Array(TestCertificates.rsa.utf8)
        #expect(try CertificateChain(pem: other + pem).digest == CertificateChain(pem: other).digest)
        #expect(try CertificateChain(pem: other + pem).pem == CertificateChain(pem: other).pem + whole.pem)
    }

    @Test func `A file with a malformed certificate or without a certificate is rejected`() throws {
        let pem = try text("certificate")
        let cut = Array(pem.dropLast(60))
        let broken = String(decoding: pem, as: UTF8.self).replacing("MIIBBjCB", with: "MIIBBjCC")
        for text in [[], Array("no certificate".utf8), cut, pem + cut, Array(broken.utf8), pem + Array(broken.utf8)] {
            #expect(throws: KeyError.notACertificate) { try CertificateChain(pem: text) }
        }
        let key = try PrivateKey.generate(.ed25519)
        #expect(throws: KeyError.notACertificate) { try ClientCertificate(pem: key.pem(), key: key) }
    }

    @Test func `A certificate can have an empty subject, as in SPIFFE`() throws {
        let pem = Array(TestCertificates.subjectless.utf8)
        #expect(try ClientCertificate(pem: pem, key: PrivateKey(pem: pem)).chain.subject.isEmpty)
    }

    @Test func `A certificate is accepted up to one minute outside its validity period`() throws {
        let chain = try CertificateChain(pem: text("certificate"))
        #expect(chain.fault(at: chain.notBefore - 60) == nil && chain.fault(at: chain.notAfter + 60) == nil)
        #expect(chain.fault(at: chain.notBefore - 61) == .certificateNotYetValid(from: chain.notBefore))
        #expect(chain.fault(at: chain.notAfter + 61) == .certificateExpired(at: chain.notAfter))
    }

    @Test(arguments: [TestCertificates.rsa, TestCertificates.p256, TestCertificates.ed25519])
    func `A certificate requires its matching private key`(text: String) throws {
        let pem = Array(text.utf8)
        let key = try PrivateKey(pem: pem)
        #expect(try ClientCertificate(pem: pem, key: key).chain == CertificateChain(pem: pem))
        let other = try PrivateKey.generate(key.publicKey.family)
        #expect(throws: KeyError.otherKey) { try ClientCertificate(pem: pem, key: other) }
        #expect(throws: KeyError.otherKey) {
            try ClientCertificate(pem: pem, key: try .generate(.ellipticCurve(.p384)))
        }
    }
}

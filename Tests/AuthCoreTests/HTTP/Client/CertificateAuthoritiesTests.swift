import CCurl
import COpenSSL
import TestSupport
import Testing

@testable import AuthCore

struct CertificateAuthoritiesTests {
    private static let pem = Array(TestCertificates.rsa.utf8)

    @Test func `Each certificate has its subject`() {
        let all = CertificateAuthorities(pem: Self.pem + Array("\ncomment\n".utf8) + Self.pem)
        #expect(all.places.count == 2 && all.places.last?.certificate.upperBound == all.der.count)
        for (certificate, subject) in all.places {
            #expect(all.der[certificate.lowerBound] == 0x30 && all.der[subject.lowerBound] == 0x30)
            #expect(Array(all.der[certificate]) == Array(all.der[all.places[0].certificate]))
            #expect(all.der[subject].contains(Array("client rsa".utf8)))
        }
    }

    @Test func `Text that is cut or changed anywhere has no certificates outside its bytes`() {
        var generator = SeededGenerator(seed: 1)
        var foundCount = 0
        for index in Self.pem.indices {
            var changed = Self.pem
            changed[index] = UInt8.random(in: 32...126, using: &generator)
            for pem in [Array(Self.pem[..<index]), changed] {
                let all = CertificateAuthorities(pem: pem)
                for (certificate, subject) in all.places {
                    #expect(certificate.upperBound <= all.der.count)
                    #expect(certificate.lowerBound < subject.lowerBound && subject.upperBound <= certificate.upperBound)
                    foundCount += 1
                }
            }
        }
        #expect(foundCount > 2_000, "\(foundCount)")
    }

    @Test func `Lines can end with CR LF, and have spaces`() {
        let lines = TestCertificates.rsa.split(separator: "\n")
        let spaced = lines.map { $0.hasPrefix("-") ? "\($0)\r\n" : " \($0.prefix(20)) \($0.dropFirst(20)) \r\n" }
            .joined()
        #expect(CertificateAuthorities(pem: Array(spaced.utf8)).der == CertificateAuthorities(pem: Self.pem).der)
    }

    @Test func `Other PEM texts are no certificates`() {
        let others = ["PRIVATE KEY", "CERTIFICATE REQUEST"].map {
            TestCertificates.rsa.replacing("BEGIN CERTIFICATE", with: "BEGIN \($0)")
        }
        #expect(CertificateAuthorities(pem: Array(others.joined().utf8)).places.isEmpty)
        let trusted = TestCertificates.rsa.replacing(" CERTIFICATE", with: " TRUSTED CERTIFICATE")
        #expect(CertificateAuthorities(pem: Array(trusted.utf8)).places.count == 1)
    }

    @Test func `Names that OpenSSL regards as equal have the same key`() throws {
        let texts = ["Example Root", "example  ROOT ", "Example Root 2", "Exämple Root", ""]
        let types = [V_ASN1_UTF8STRING, V_ASN1_PRINTABLESTRING, V_ASN1_IA5STRING, V_ASN1_T61STRING, V_ASN1_BMPSTRING]
        var names: [(name: OpaquePointer, key: UInt32)] = []
        defer { for name in names { X509_NAME_free(name.name) } }
        for text in texts {
            for type in types where !text.isEmpty {
                let name = try #require(X509_NAME_new())
                let bytes =
                    type == V_ASN1_BMPSTRING
                    ? text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } : Array(text.utf8)
                for (field, value, type) in [("C", Array("DE".utf8), V_ASN1_PRINTABLESTRING), ("CN", bytes, type)] {
                    try #require(
                        X509_NAME_add_entry_by_txt(name, field, type, value, Int32(value.count), -1, 0) == 1)
                }
                var encoded: UnsafeMutablePointer<UInt8>?
                let length = Int(i2d_X509_NAME(name, &encoded))
                let der = try #require(encoded)
                names.append((name, ccurl_name_key(der, der + length)))
                CRYPTO_free(encoded, #file, #line)
            }
        }
        for one in names {
            for other in names where one.key != 0 && other.key != 0 {
                #expect((X509_NAME_cmp(one.name, other.name) == 0) == (one.key == other.key))
            }
        }
        #expect(names.contains { $0.key == 0 } && names.contains { $0.key != 0 })
    }

    @Test func `A name that is cut has no key`() {
        let name: [UInt8] = [0x30, 0x0D, 0x31, 0x0B, 0x30, 0x09, 0x06, 0x03, 0x55, 0x04, 0x06, 0x13, 0x02, 0x44, 0x45]
        name.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            #expect(ccurl_name_key(start, start + bytes.count) > 1)
            for length in [13, 14] { #expect(ccurl_name_key(start, start + length) == 0) }
        }
    }
}

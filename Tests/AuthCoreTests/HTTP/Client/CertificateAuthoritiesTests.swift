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
        for index in Self.pem.indices {
            var changed = Self.pem
            changed[index] = UInt8.random(in: 32...126, using: &generator)
            for pem in [Array(Self.pem[..<index]), changed] {
                let all = CertificateAuthorities(pem: pem)
                for (certificate, subject) in all.places {
                    #expect(certificate.upperBound <= all.der.count)
                    #expect(certificate.lowerBound < subject.lowerBound && subject.upperBound <= certificate.upperBound)
                }
            }
        }
    }
}

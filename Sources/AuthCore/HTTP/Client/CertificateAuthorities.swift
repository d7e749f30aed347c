import CCurl

/// The CA certificates of a PEM file (RFC 7468) in DER, and where their subjects are, so that OpenSSL decodes only those
/// that can be in a server's chain. To decode all of a system's file takes 19 ms in each process.
struct CertificateAuthorities {
    private(set) var der: [UInt8] = []
    /// The places of each certificate and of its subject in `der`.
    private(set) var places: [(certificate: Range<Int>, subject: Range<Int>)] = []

    init(pem: [UInt8]) {
        der.reserveCapacity(pem.count / 4 * 3)
        var (begin, bits, pending): (Int?, Int, UInt32) = (nil, 0, 0)
        for line in pem.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "-") {
                let label = String(decoding: line, as: UTF8.self)
                if let begin { add(begin..<der.count) }
                begin = label.hasPrefix("-----BEGIN") && label.contains("CERTIFICATE-----") ? der.count : nil
                (bits, pending) = (0, 0)
            } else if begin != nil {
                for byte in line {
                    guard let value = CertificateAuthorities.value(of: byte) else { continue }
                    (pending, bits) = (pending << 6 | value, bits + 6)
                    guard bits >= 8 else { continue }
                    bits -= 8
                    der.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
                }
            }
        }
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Adds a certificate (RFC 5280 section 4.1). What is not one is left out.
    private mutating func add(_ bytes: Range<Int>) {
        guard let certificate = content(at: bytes.lowerBound, before: bytes.upperBound),
            let body = content(at: certificate.lowerBound, before: certificate.upperBound), !body.isEmpty
        else { return }
        // The version is optional. The serial number, algorithm, issuer and validity precede the subject.
        var next = body.lowerBound
        for _ in 0..<(der[next] == 0xA0 ? 5 : 4) {
            guard let field = content(at: next, before: body.upperBound) else { return }
            next = field.upperBound
        }
        guard let subject = content(at: next, before: body.upperBound) else { return }
        places.append((bytes, next..<subject.upperBound))
    }

    /// The content of a value in DER (X.690 section 8.1).
    private func content(at index: Int, before end: Int) -> Range<Int>? {
        guard index + 2 <= end else { return nil }
        let first = Int(der[index + 1])
        let begin = index + 2 + max(0, first - 0x80)
        guard first <= 0x83, begin <= end else { return nil }
        let length = first < 0x80 ? first : der[index + 2..<begin].reduce(0) { $0 << 8 | Int($1) }
        return begin + length <= end ? begin..<begin + length : nil
    }
}

extension ccurl {
    private static let maximumLength = 64 << 20

    /// Sets the trusted CAs: those of SSL_CERT_FILE, or those of the file and the directory that libcurl was built with.
    mutating func setAuthorities(_ handle: UnsafeMutableRawPointer, own: [UInt8]?) -> Bool {
        let path = own == nil ? ccurl_bundle(&self).map { String(cString: $0) } : nil
        // The system can replace its file while a process runs.
        let found = own == nil ? path.flatMap(FileChange.init)?.hashValue ?? 0 : -1
        if found != mark {
            let pem = own ?? path.flatMap { try? BoundedRead.file($0, limit: ccurl.maximumLength).bytes } ?? []
            let all = CertificateAuthorities(pem: pem)
            let places = all.places.map {
                ccurl_authority(
                    begin: $0.certificate.lowerBound, end: $0.certificate.upperBound, subject: $0.subject.lowerBound,
                    subject_end: $0.subject.upperBound)
            }
            let code = ccurl_take_authorities(&self, found, all.der, all.der.count, places, places.count)
            guard code == 0 else { return false }
        }
        // A file that cannot be read is an error of libcurl. Without a file, the directory is enough.
        guard own != nil || tls.pointee.count > 0 || path != nil && found == 0 else { return true }
        return ccurl_use_authorities(&self, handle, own == nil ? 0 : 1) == CURLE_OK
    }
}

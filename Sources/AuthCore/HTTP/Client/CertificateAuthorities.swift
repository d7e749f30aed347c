/// The CA certificates of a PEM file (RFC 7468) in DER, and where their subjects are, so that OpenSSL decodes only those
/// that can be in a server's chain. To decode all of a system's file takes 19 ms in each process.
struct CertificateAuthorities {
    private(set) var der: [UInt8] = []
    /// The places of each certificate and of its subject in `der`.
    private(set) var places: [(certificate: Range<Int>, subject: Range<Int>)] = []

    init(pem: [UInt8]) { add(pem: pem) }

    mutating func add(pem: [UInt8]) {
        // The characters of the certificate that is read.
        var text: [UInt8]?
        der.reserveCapacity(der.count + pem.count)
        CertificateAuthorities.forEachLine(of: pem) { line in
            guard line.first == UInt8(ascii: "-") else {
                text? += line
                return
            }
            let certificate = text.flatMap { Base64.decode($0) ?? Base64.decode($0.filter { $0 > UInt8(ascii: " ") }) }
            if let certificate { add(certificate) }
            let isCertificate =
                line.starts(with: "-----BEGIN".utf8) && line.suffix(16).elementsEqual("CERTIFICATE-----".utf8)
            text = isCertificate ? [] : nil
        }
    }

    /// Calls `body` with each line, without the spaces at its end. A system's file has 200,000 bytes in 3,400 lines.
    private static func forEachLine(of pem: [UInt8], _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
        pem.withUnsafeBufferPointer { pem in
            var start = 0
            for end in 0...pem.count where end == pem.count || pem[end] == UInt8(ascii: "\n") {
                var line = pem[start..<end]
                start = end + 1
                while let last = line.last, last <= UInt8(ascii: " ") { line.removeLast() }
                body(line)
            }
        }
    }

    /// Adds a certificate (RFC 5280 section 4.1). What is not one is left out.
    private mutating func add(_ bytes: [UInt8]) {
        let begin = der.count
        der += bytes
        guard let certificate = content(at: begin, before: der.count),
            let body = content(at: certificate.lowerBound, before: certificate.upperBound), !body.isEmpty
        else { return }
        // The version is optional. The serial number, algorithm, issuer and validity precede the subject.
        var next = body.lowerBound
        for _ in 0..<(der[next] == 0xA0 ? 5 : 4) {
            guard let field = content(at: next, before: body.upperBound) else { return }
            next = field.upperBound
        }
        guard let subject = content(at: next, before: body.upperBound) else { return }
        places.append((begin..<der.count, next..<subject.upperBound))
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

/// The transfer of secrets over the bus: encrypted if the service supports it, otherwise plain (Secret Storage API 0.2,
/// "Transfer of Secrets").
struct SecretSession: Sendable {
    static let encryption = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    let path: BusPath
    let cipher: SecretServiceCipher?
    let random: RandomSource

    /// A secret as it is sent over the bus: `(oayays)`.
    typealias Sealed = (parameters: [UInt8], value: [UInt8])

    static func isUnknownEncryption(_ name: String) -> Bool {
        ["org.freedesktop.DBus.Error.NotSupported", "org.freedesktop.DBus.Error.InvalidArgs"].contains(name)
    }

    func sealed(_ secret: SecretBytes) throws -> Sealed {
        try secret.withUnsafeBytes { secret in
            try cipher?.seal(secret, random: random) ?? (parameters: [], value: Array(secret))
        }
    }

    func argument(_ sealed: Sealed) -> BusValue {
        let values: [BusValue] = [.path(path), .bytes(sealed.parameters), .bytes(sealed.value)]
        return .container("r", of: "oayays", values + [.text("application/octet-stream")])
    }

    func secret(in message: BusMessage) throws -> [UInt8] {
        let sealed = try message.read("r", of: "oayays") { () throws(BusError) in
            guard try message.path() == path else { throw .malformed }
            let sealed: Sealed = (try message.bytes(), try message.bytes())
            _ = try message.text()
            return sealed
        }
        guard let cipher else { return sealed.value }
        return try cipher.open(parameters: sealed.parameters, value: sealed.value)
    }
}

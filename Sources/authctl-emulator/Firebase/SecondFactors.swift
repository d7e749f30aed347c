import AuthCore

/// Second factors with the codes of RFC 6238. An administrator enrolls them (`accounts:update` with `mfa`). Requests
/// and responses are those of Google's SDKs. Linking also requires the second factor; it is unknown whether the service
/// does.
extension FirebaseProject {
    /// An authenticator app with its key, or a phone. No messages are sent to phones.
    struct Factor {
        let id: String
        let name: String?
        let key: [UInt8]?

        var shown: JSONValue {
            var object: JSONObject = ["mfaEnrollmentId": .string(id), "enrolledAt": "2026-01-01T00:00:00Z"]
            object["displayName"] = name.map(JSONValue.string)
            object[key == nil ? "phoneInfo" : "totpInfo"] = key == nil ? "+*******1234" : [:]
            return .object(object)
        }
    }

    /// Reads the factors that an administrator enrolls. `totpInfo` has the Base32 key in `sharedSecretKey`, as in the
    /// service's response to enrolling an app.
    func enrolled(_ enrollments: [JSONValue]) throws -> [Factor] {
        try enrollments.map { enrollment in
            let id = try enrollment.object?["mfaEnrollmentId"]?.string ?? site.token()
            let name = enrollment.object?["displayName"]?.string
            guard let app = enrollment.object?["totpInfo"]?.object else {
                guard enrollment.object?["phoneInfo"] != nil else { throw Refusal("INVALID_REQ_TYPE") }
                return Factor(id: id, name: name, key: nil)
            }
            guard let key = app["sharedSecretKey"]?.string.flatMap(FirebaseProject.key) else {
                throw Refusal("INVALID_REQ_TYPE : totpInfo.sharedSecretKey must be Base32")
            }
            return Factor(id: id, name: name, key: key)
        }
    }

    /// Base32 (RFC 4648 section 6), with or without its padding.
    private static func key(_ text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var (bits, count, key): (UInt32, UInt32, [UInt8]) = (0, 0, [])
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: byte) else { return nil }
            (bits, count) = ((bits << 5 | UInt32(value)) & 0xFFF, count + 5)
            guard count >= 8 else { continue }
            count -= 8
            key.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return key.isEmpty ? nil : key
    }

    /// The response after the first factor if the account has a second factor, otherwise nil.
    ///
    /// - Parameter user: the account as it is stored after the second factor.
    func secondFactor(_ user: User, _ provider: String) throws -> JSONObject? {
        guard !user.factors.isEmpty, !user.isDisabled else { return nil }
        let pending = site.recorded(try site.token())
        waitingForFactor[pending] = (user, tenant, Method(provider: provider))
        return [
            "localId": .string(user.uid), "mfaPendingCredential": .string(pending),
            "mfaInfo": .array(user.factors.map(\.shown)),
        ]
    }

    func finalize(_ body: JSONObject) throws -> JSONValue {
        let pending = body["mfaPendingCredential"]?.string ?? ""
        guard let (user, tenant, method) = waitingForFactor[pending] else {
            throw Refusal("INVALID_MFA_PENDING_CREDENTIAL")
        }
        self.tenant = tenant
        guard let factor = user.factors.first(where: { $0.id == body["mfaEnrollmentId"]?.string }) else {
            throw Refusal("MFA_ENROLLMENT_NOT_FOUND")
        }
        let code = body["totpVerificationInfo"]?.object?["verificationCode"]?.string
        guard let key = factor.key, let code, isCode(code, of: key) else { throw Refusal("INVALID_CODE") }
        waitingForFactor[pending] = nil
        users[user.uid] = user
        let tokens = try tokens(user.uid, Method(provider: method.provider, factor: factor.id))
        // The service omits the uid; the ID token contains it.
        return ["idToken": tokens["idToken"] ?? .null, "refreshToken": tokens["refreshToken"] ?? .null]
    }

    /// Whether a code is the current one, or one of the five before or after. This is the service's default.
    private func isCode(_ code: String, of key: [UInt8]) -> Bool {
        for step in -5...5 {
            let time = site.now() + Int64(step) * TimeBasedCode.period
            if code == TimeBasedCode.code(of: key, at: time) { return true }
        }
        return false
    }
}

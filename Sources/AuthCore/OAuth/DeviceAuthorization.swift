/// A device authorization: the code that the user enters on another device, and the code that this client polls with
/// (RFC 8628 section 3.2).
package struct DeviceAuthorization: Sendable {
    let deviceCode: DeviceCode
    package let userCode: String
    package let verificationURL: HTTPURL
    package let completeURL: HTTPURL?
    /// Seconds; nil if the provider did not send it.
    package let expiresIn: Int64?
    /// Seconds between two polls.
    let interval: Int64

    static let slowDownStep: Int64 = 5
    private static let defaultInterval: Int64 = 5

    init(_ object: JSONObject, nameOfURL: String) throws(OAuthError) {
        func invalid(_ fault: ResponseFault) -> OAuthError { .invalidResponse(fault, at: .deviceAuthorization) }
        func url(_ name: String) throws(OAuthError) -> HTTPURL? {
            guard let value = object.optional(name) else { return nil }
            guard let url = value.string.flatMap({ try? HTTPURL($0) }), url.protectsSecrets else {
                throw invalid(.malformed(name, isNot: .httpsURL))
            }
            return url
        }
        func seconds(_ name: String) -> Int64? { object[name].flatMap(Seconds.span(of:)) }
        guard let code = object["device_code"]?.string, (1...4096).contains(code.utf8.count) else {
            throw invalid(.missing("device_code"))
        }
        guard let userCode = object["user_code"]?.string, (1...64).contains(userCode.utf8.count),
            userCode.isVisibleASCII
        else { throw invalid(.malformed("user_code", isNot: .userCode)) }
        guard let verificationURL = try url(nameOfURL) else { throw invalid(.missing(nameOfURL)) }
        deviceCode = DeviceCode(code)
        self.userCode = userCode
        self.verificationURL = verificationURL
        completeURL = try url("verification_uri_complete")
        expiresIn = seconds("expires_in").map { min(max($0, 1), 86400) }
        // RFC 8628 section 3.2: the minimum pause between polls.
        interval = max(seconds("interval") ?? DeviceAuthorization.defaultInterval, 1)
    }
}

extension TokenEndpoint {
    /// The result of one poll.
    enum Poll {
        case tokens(TokenResponse)
        case pending
        /// The server requests a longer interval: five seconds more, or this one if that is longer.
        case slowDown(interval: Int64?)
    }

    /// Begins the device flow (RFC 8628 section 3.1).
    func authorizeDevice(at url: HTTPURL, scopes: [String], nameOfURL: String) async throws -> DeviceAuthorization {
        let response = try await send([("scope", scopes.joined(separator: scopeSeparator))], to: url)
        try checkCertificate(response, at: .deviceAuthorization)
        let object = try TokenResponse.object(
            response, origin: url.origin, at: .deviceAuthorization, acceptsForm: acceptsForm, now: services.clock.now())
        guard response.status == 200 else {
            throw OAuthError.invalidResponse(.status(response.status), at: .deviceAuthorization)
        }
        return try DeviceAuthorization(object, nameOfURL: nameOfURL)
    }

    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// Polls for the user's decision (RFC 8628 section 3.4). The error code counts, not the status: Google sends 428,
    /// GitHub 200.
    func poll(_ code: DeviceCode) async throws -> Poll {
        let response = try await send(
            [("grant_type", TokenEndpoint.deviceGrant), ("device_code", code.revealed())] + forResource, to: url)
        do {
            return .tokens(
                try TokenResponse(
                    response, origin: url.origin, at: .token, acceptsForm: acceptsForm, isBound: prover != nil,
                    now: services.clock.now()))
        } catch {
            switch error {
            case .refused("authorization_pending", _, _): return .pending
            case .refused("slow_down", _, _):
                let interval = response.object?["interval"].flatMap(Seconds.span(of:))
                return .slowDown(interval: interval)
            default: throw error
            }
        }
    }
}

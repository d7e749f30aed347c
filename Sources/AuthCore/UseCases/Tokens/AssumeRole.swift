/// Gets AWS credentials for a role with an ID token (AWS Security Token Service, `AssumeRoleWithWebIdentity`).
package struct AssumeRole: Sendable {
    package struct Request: Sendable {
        package var role: String
        package var sessionName: String
        /// Seconds; nil for the role's default.
        package var duration: Int64?
        package var endpoint: HTTPURL

        package init(role: String, sessionName: String, duration: Int64?, endpoint: HTTPURL) {
            self.role = role
            self.sessionName = sessionName
            self.duration = duration
            self.endpoint = endpoint
        }
    }

    package struct Credentials: Sendable {
        package let accessKeyID: String
        package let secretAccessKey: SecretAccessKey
        package let sessionToken: SessionToken
        /// In RFC 3339 format, as received.
        package let expiration: String
    }

    let services: Services

    package init(services: Services) { self.services = services }

    package func run(_ request: Request, token: RawIDToken) async throws -> Credentials {
        guard request.endpoint.protectsSecrets else { throw HTTPError.plainHTTP(origin: request.endpoint.origin) }
        var parameters = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", request.role),
            ("RoleSessionName", request.sessionName), ("WebIdentityToken", token.revealed()),
        ]
        if let duration = request.duration { parameters.append(("DurationSeconds", String(duration))) }
        var httpRequest = HTTPRequest.form(request.endpoint, with: parameters, secrets: [token.revealed()])
        // The service always responds in XML, never in JSON.
        httpRequest.headers = httpRequest.headers.filter { $0.name != "Accept" }
        let response = try await services.transport.response(to: httpRequest)
        let document = ResponseXML(response.body)
        guard response.status == 200 else {
            if response.status >= 500 {
                throw OAuthError.unavailable(status: response.status, origin: request.endpoint.origin)
            }
            guard let code = document.text(of: "Code") else { throw AssumeRoleError.malformed }
            throw AssumeRoleError.refused(
                code: response.shown(code), message: response.shown(document.text(of: "Message") ?? ""))
        }
        guard let id = document.text(of: "AccessKeyId"), let secret = document.text(of: "SecretAccessKey"),
            let session = document.text(of: "SessionToken"),
            let expiration = document.text(of: "Expiration").flatMap(HTTPDate.parseRFC3339)
        else { throw AssumeRoleError.malformed }
        return Credentials(
            accessKeyID: id, secretAccessKey: SecretAccessKey(secret), sessionToken: SessionToken(session),
            expiration: HTTPDate.rfc3339(expiration))
    }
}

/// Why the Security Token Service gave no credentials.
package enum AssumeRoleError: CodedError, Sendable, Equatable {
    case refused(code: ServerText, message: ServerText)
    case malformed

    package var code: ErrorCode { self == .malformed ? .invalidResponse : .accessDenied }
}

/// Reads the few XML elements of the service's response. Each occurs once and contains only text.
struct ResponseXML {
    private let text: String

    init(_ body: [UInt8]) { text = String(validating: body.prefix(1 << 16), as: UTF8.self) ?? "" }

    func text(of name: String) -> String? {
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>"),
            text[end.upperBound...].firstRange(of: "<\(name)>") == nil
        else { return nil }
        var plain = ""
        var rest = text[start.upperBound..<end.lowerBound]
        while let character = rest.popFirst() {
            guard character != "<" else { return nil }
            guard character == "&" else {
                plain.append(character)
                continue
            }
            guard let semicolon = rest.firstIndex(of: ";"),
                let character = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"][
                    String(rest[..<semicolon])]
            else { return nil }
            plain += character
            rest = rest[rest.index(after: semicolon)...]
        }
        return plain.isEmpty ? nil : plain
    }
}

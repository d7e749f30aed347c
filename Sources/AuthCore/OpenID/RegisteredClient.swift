/// A client that authctl registered, with the URL and token to delete it at the provider (RFC 7592).
package struct RegisteredClient: Sendable, Equatable {
    package let clientID: String
    private(set) var management: Management?

    struct Management: Sendable, Equatable {
        let url: HTTPURL
        let token: RegistrationToken
        let zone: NetworkZone
        let allowsPlainHTTP: Bool
    }

    ///   - response: the response of the registration endpoint (RFC 7592 section 3).
    init(_ clientID: String, in response: JSONObject, from endpoint: HTTPURL, zone: NetworkZone, allowsPlainHTTP: Bool)
    {
        self.clientID = clientID
        guard let text = response["registration_client_uri"]?.string, let url = try? HTTPURL(text),
            url.origin == endpoint.origin, let token = response["registration_access_token"]?.string,
            (1...8192).contains(token.utf8.count), token.isVisibleASCII
        else { return }
        management = Management(url: url, token: RegistrationToken(token), zone: zone, allowsPlainHTTP: allowsPlainHTTP)
    }

    // MARK: In the store

    var text: String {
        var object: JSONObject = ["client_id": .string(clientID)]
        if let management {
            object["registration_client_uri"] = .string(management.url.text)
            object["registration_access_token"] = .string(management.token.revealed())
            object["zone"] = JSONValue(Int64(management.zone.rawValue))
            object["allow_http"] = .bool(management.allowsPlainHTTP)
        }
        return JSONValue.object(object).text
    }

    init?(text: String) {
        guard let object = try? StrictJSON.object(Array(text.utf8)), let clientID = object["client_id"]?.string else {
            return nil
        }
        self.clientID = clientID
        guard let url = (object["registration_client_uri"]?.string).flatMap({ try? HTTPURL($0) }),
            let token = object["registration_access_token"]?.string,
            let zone = (object["zone"]?.number?.integer).flatMap({ NetworkZone(rawValue: Int($0)) })
        else { return }
        management = Management(
            url: url, token: RegistrationToken(token), zone: zone, allowsPlainHTTP: object["allow_http"]?.bool ?? false)
    }

    // MARK: At the provider

    /// Deletes the client at the provider (RFC 7592 section 2.3).
    package func delete(by transport: any HTTPTransport) async -> Bool {
        guard let management else { return false }
        let request = HTTPRequest(
            .delete, management.url, headers: [(name: "Authorization", value: "Bearer \(management.token.revealed())")],
            narrowestZone: management.zone, allowsPlainHTTP: management.allowsPlainHTTP)
        return (try? await transport.response(to: request))?.status == 204
    }
}

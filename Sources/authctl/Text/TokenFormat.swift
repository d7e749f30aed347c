import AuthCore

/// The ways to print a token.
enum TokenFormat: Equatable {
    case bare, header, environment(ShellKind), json

    var isForBearer: Bool {
        switch self {
        case .bare, .json: false
        case .header, .environment: true
        }
    }

    /// - Parameter now: seconds since 1970.
    func text(of result: CurrentToken.Result, now: Int64) -> String {
        let token = result.token.revealed()
        switch self {
        case .bare: return token
        case .header: return "Authorization: Bearer \(token)"
        case .environment(let shell): return shell.export("AUTHCTL_TOKEN", token)
        case .json:
            var object = JSONObject()
            switch result.token.kind {
            case .access:
                object["access_token"] = .string(token)
                object["token_type"] =
                    result.issued?.isAccess == false ? "N_A" : result.binding == .dpop ? "DPoP" : "Bearer"
                object["issued_token_type"] = (result.issued?.name).map { .string($0) }
                object["scope"] = .string(result.scopes.joined(separator: " "))
            case .id: object["id_token"] = .string(token)
            }
            object["expires_in"] = result.expiresAt.map { JSONValue(max(0, $0 - now)) } ?? .null
            object["expires_on"] = result.expiresAt.map { JSONValue($0) } ?? .null
            if let emulator = result.emulator { object["emulator"] = .string(emulator) }
            return JSONValue.object(object).text
        }
    }
}

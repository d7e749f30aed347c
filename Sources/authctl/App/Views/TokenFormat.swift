import AuthCore

enum TokenFormat: Equatable {
    case bare, header, environment(ShellKind), json

    var isForBearer: Bool { self != .bare && self != .json }

    /// - Parameter now: seconds since 1970.
    func text(of result: CurrentToken.Result, now: Int64) -> String {
        let token = result.token.revealed()
        switch self {
        case .bare: return token
        case .header: return "Authorization: Bearer \(token)"
        case .environment(let shell): return shell.export("AUTHCTL_TOKEN", token)
        case .json:
            let isAccess = result.token.kind == .access
            let type = result.issued?.isAccess == false ? "N_A" : result.binding == .dpop ? "DPoP" : "Bearer"
            let object: JSONValue = [
                "access_token": JSONValue(isAccess ? token : nil), "id_token": JSONValue(isAccess ? nil : token),
                "token_type": JSONValue(isAccess ? type : nil),
                "issued_token_type": JSONValue(isAccess ? result.issued?.name : nil),
                "scope": JSONValue(isAccess && !result.scopes.isEmpty ? result.scopes.joined(separator: " ") : nil),
                "expires_in": result.expiresAt.map { JSONValue(max(0, $0 - now)) } ?? .null,
                "expires_on": result.expiresAt.map { JSONValue($0) } ?? .null, "emulator": JSONValue(result.emulator),
            ]
            return object.text
        }
    }
}

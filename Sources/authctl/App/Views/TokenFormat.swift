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
            return TokenFormat.output.json((result, now)).text
        }
    }

    /// With the names of RFC 6749 section 5.1 and RFC 8693 section 2.2.1.
    static let output = View<(token: CurrentToken.Result, now: Int64)> {
        Field("access_token", of: \.token.accessText, means: "null with --type id")
        Field("id_token", of: { $0.token.isAccess ? nil : $0.token.token.revealed() }, means: "with --type id")
        Field("token_type", of: \.token.type, means: "Bearer, DPoP, N_A")
        Field("issued_token_type", of: { $0.token.isAccess ? $0.token.issued?.name : nil }, means: "with --exchange")
        Field("scope", of: \.token.scope, means: "separated by spaces; with --repository, the permissions")
        Field(
            "expires_in", of: { issued in issued.token.expiresAt.map { max(0, $0 - issued.now) } },
            means: "seconds; null: unknown, or never")
        Field("expires_on", of: \.token.expiresAt, means: "seconds since 1970")
        Field("emulator", of: \.token.emulator, means: "the emulator that issued the token")
    }
}

extension CurrentToken.Result {
    fileprivate var isAccess: Bool { token.kind == .access }
    fileprivate var accessText: String? { isAccess ? token.revealed() : nil }
    fileprivate var scope: String? { isAccess && !scopes.isEmpty ? scopes.joined(separator: " ") : nil }

    fileprivate var type: String? {
        guard isAccess else { return nil }
        return issued?.isAccess == false ? "N_A" : binding == .dpop ? "DPoP" : "Bearer"
    }
}

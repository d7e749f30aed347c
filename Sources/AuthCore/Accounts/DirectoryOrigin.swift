/// The directory of accounts and their sessions: the local one, or one tenant of a Firebase project, at the service or
/// in one emulator. Origins are equal only if all these values are.
/// See docs/decisions/007.
package enum DirectoryOrigin: Sendable, Hashable {
    case local
    case project(id: String, tenant: String?, emulator: String?)

    package var emulator: String? { if case .project(_, _, let emulator) = self { emulator } else { nil } }

    var text: String {
        switch self {
        case .local: return "local"
        case .project(let id, let tenant, let emulator):
            var object: JSONObject = ["project": .string(id)]
            object["tenant"] = tenant.map(JSONValue.string)
            object["emulator"] = emulator.map(JSONValue.string)
            return JSONValue.object(object).text
        }
    }

    init?(text: String) {
        if text == "local" {
            self = .local
            return
        }
        guard let object = try? StrictJSON.object(Array(text.utf8)), let id = object["project"]?.string else {
            return nil
        }
        self = .project(
            id: id, tenant: object["tenant"]?.string, emulator: object["emulator"]?.string.map(EmulatorName.canonical))
    }

    var alias: DirectoryOrigin? {
        guard case .project(let id, let tenant, let emulator?) = self, let alias = EmulatorName.alias(of: emulator)
        else { return nil }
        return .project(id: id, tenant: tenant, emulator: alias)
    }

    static let projectIssuers = "https://securetoken.google.com/"

    /// The ID of the Firebase project that issues tokens as `issuer`; nil for another issuer.
    package static func projectID(ofIssuer issuer: String) -> String? {
        issuer.hasPrefix(projectIssuers) ? String(issuer.dropFirst(projectIssuers.count)) : nil
    }
}

/// An emulator's `host:port`. `localhost` and `127.0.0.1` name the same emulator.
enum EmulatorName {
    private static let (local, address) = ("localhost:", "127.0.0.1:")

    static func canonical(_ name: String) -> String {
        name.hasPrefix(local) ? address + name.dropFirst(local.count) : name
    }

    static func alias(of name: String) -> String? {
        name.hasPrefix(address) ? local + name.dropFirst(address.count) : nil
    }
}

/// The local sessions belong to another directory than the profile's current one, so they are neither shown nor sent.
package struct DirectoryMismatch: CodedError, Sendable, Equatable {
    package enum Kind: Sendable, Equatable { case session, signIn }

    package let kind: Kind
    package let provider: String
    package let origin: DirectoryOrigin?
    package let current: DirectoryOrigin
    package var code: ErrorCode { .signInRequired }
}

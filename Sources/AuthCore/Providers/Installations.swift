/// A repository that an installation token is for.
package struct Repository: Sendable, Equatable {
    package let owner: String
    package let name: String

    package var text: String { "\(owner)/\(name)" }

    /// Reads `OWNER/NAME`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts.allSatisfy(Repository.isName) else { return nil }
        (owner, name) = (parts[0], parts[1])
    }

    /// Reads the path of a repository's URL, as git sends it.
    package init?(path: String) {
        let parts = path.split(separator: "/").prefix(2)
        guard parts.count == 2, let name = parts.last else { return nil }
        self.init("\(parts[0])/\(name.hasSuffix(".git") ? name.dropLast(4) : name)")
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.hasOnlyLettersAndDigits(or: "-._") && text != "." && text != ".."
    }

    func isSame(as fullName: String) -> Bool { text.lowercased().hasSameBytes(as: fullName.lowercased()) }
}

/// A permission of an app's installation.
package struct InstallationPermission: Sendable, Equatable {
    package let name: String
    package let level: Level

    package enum Level: String, Sendable, CaseIterable, Comparable {
        case read, write, admin

        package static func < (left: Level, right: Level) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package var text: String { "\(name)=\(level.rawValue)" }

    /// Reads `NAME=LEVEL`. The API's names have underscores, its documentation also writes hyphens.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].hasOnlyLettersAndDigits(or: "-_"),
            let level = Level(rawValue: parts[1])
        else { return nil }
        name = parts[0].replacing("-", with: "_")
        self.level = level
    }
}

/// A request for a token for one repository. Without permissions, the token has all permissions of the installation.
package struct InstallationRequest: Sendable, Equatable {
    package let repository: Repository
    package let permissions: [InstallationPermission]

    package init(_ repository: Repository, _ permissions: [InstallationPermission] = []) {
        self.repository = repository
        self.permissions = permissions
    }
}

struct InstallationToken: Sendable {
    let token: AccessToken
    /// Seconds since 1970.
    let expiresAt: Int64
    let permissions: [String]
}

/// An app, as its provider describes it.
package struct KnownApp: Sendable, Equatable {
    package let name: ServerText
    package let page: ServerText
}

/// Why no installation token was issued for a repository.
package enum InstallationError: CodedError, Sendable, Equatable {
    case unsupported(provider: String)
    case notAnApp(provider: String, isConfigured: Bool)
    /// For example in a system configuration, which does not name files of users.
    case keyMissing(provider: String)
    case notInstalled(Repository, provider: String)
    case permissionsRefused(InstallationRequest, provider: String, ServerText?)
    /// The app ID and the key do not match, or the app is unknown.
    case appRejected(provider: String, ServerText?)
    case refused(provider: String, status: Int, ServerText?)

    package var code: ErrorCode {
        switch self {
        case .unsupported: .unsupported
        case .notAnApp, .keyMissing, .appRejected: .invalidConfiguration
        case .permissionsRefused: .insufficientScope
        case .notInstalled, .refused: .accessDenied
        }
    }
}

import ArgumentParser
import AuthCore

/// The token of a GitHub App's installation, instead of a session's token.
struct InstallationFlags: ParsableArguments {
    @Option(
        help: .init(
            "Use a GitHub App's installation token for this repository only; it is not stored.", valueName: "owner/repo"
        ))
    var repository: Repository?

    @OptionGroup var permissions: PermissionFlags

    func validate() throws {
        try require(repository != nil || permissions.permission.isEmpty, "--permission requires --repository")
    }
}

struct PermissionFlags: ParsableArguments {
    @Option(
        help: .init(
            "A permission of the installation token, for example contents=read; repeatable (default: all of the installation).",
            valueName: "name=level"))
    var permission: [InstallationPermission] = []
}

import ArgumentParser
import AuthCore

/// The token of a GitHub App's installation, instead of a session's token.
struct InstallationFlags: ParsableArguments {
    @Option(
        name: .customLong("repository"),
        help: .init(
            "Use a GitHub App's installation token for this repository only; it is not stored.", valueName: "owner/repo"
        ))
    private var repositories: [Repository] = []
    var repository: Repository? { repositories.first }

    @OptionGroup var permissions: PermissionFlags

    var given: GivenOptions { ["--repository": repository != nil] }

    func validate() throws {
        try require(repositories.count < 2, "--repository can be given only once: the token is for one repository")
        try require(
            "--repository", isGiven: repository != nil, for: ["--permission": !permissions.permission.isEmpty])
    }
}

struct PermissionFlags: ParsableArguments {
    @Option(
        help: .init(
            "A permission of the installation token, for example contents=read; repeatable (default: all of the installation).",
            valueName: "name=level"))
    var permission: [InstallationPermission] = []

    func validate() throws {
        let names = permission.map(\.name)
        let repeated = names.first { name in names.count { $0 == name } > 1 }
        try require(repeated == nil, "--permission \(repeated ?? "") is given twice")
    }
}

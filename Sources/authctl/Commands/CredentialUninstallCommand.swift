import ArgumentParser
import AuthCore

extension CredentialCommand {
    struct Uninstall: AccountIndependent {
        static let configuration = CommandConfiguration(
            commandName: "uninstall", abstract: "Undo the changes of install for another tool.",
            discussion: """
                Restores the earlier configuration of git and docker. Later changes by the user stay.
                """)
        static let examples = [
            Example("Undo the changes for git.", "authctl credential uninstall git"),
            Example("Undo the changes for one docker registry.", "authctl credential uninstall docker --host ghcr.io"),
        ]

        @Argument(
            help: "The tool: git, docker, kubectl, aws or mcp.", completion: .list(Install.Tool.withCredentialHelper))
        var tool: Install.Tool

        @OptionGroup var options: GlobalOptions
        @OptionGroup var place: ToolFlags

        var task: ErrorContext {
            ErrorContext("not uninstalled", again: "authctl credential uninstall \(tool.rawValue)")
        }

        func run(_ context: Context) async throws {
            let setup = ToolSetup(context: context, provider: nil)
            let changes: [String]
            switch tool {
            case .git: changes = try await setup.removeGit(hosts: place.host)
            case .docker: changes = try setup.removeDocker(hosts: place.host, directory: place.binDir)
            case .kubectl: changes = try await setup.removeKubectl(user: place.name)
            case .aws: changes = try setup.removeAWS(profile: place.name)
            case .mcp: changes = try setup.removeMCP(place)
            case .netrc: throw CommandError(.usage, "netrc has nothing to uninstall")
            }
            context.output.result(["tool": .string(tool.rawValue), "changed": JSONValue(changes)]) {
                changes.isEmpty ? ["nothing to undo: it is not installed"] : changes
            }
        }
    }
}

import ArgumentParser
import AuthCore

struct ProvidersExportCommand: AccountIndependent, PrintsJSON {
    /// Written by the export.
    static let output = View<JSONObject> { Field("providers", of: \.self) }

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a provider's configuration as a system configuration file.",
        discussion: """
            The output can be installed by root as a .yaml file in /etc/authctl/conf.d. Secrets, and their locations \
            on this machine, are omitted.
            """)
    static let examples: Examples = [
        "Print the configuration that all users would get.": "authctl providers export oidc.work",
        "Install it for all users of this machine.":
            "authctl providers export oidc.work | sudo tee /etc/authctl/conf.d/work.yaml",
    ]

    @Argument(help: "The provider.", completion: .providers, transform: Dialect.id(called:))
    var id: String

    @Flag(help: "Print an entry of the catalog, without the client.")
    var catalog = false

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("provider not exported", provider: id) }

    func run(_ context: Context) async throws {
        let id = try context.named(self.id)
        let export = ProviderExport(try context.profile.resolve(id).configured())
        if catalog {
            context.output.exactly(Array(try export.entry().utf8))
        } else if context.output.isJSON {
            context.output.json(export.json)
        } else {
            context.output.exactly(Array(try export.text().utf8))
        }
        var left = export.left
        if left.isEmpty, try await context.profile.sealedSecret(of: id) != nil { left.append("client_secret") }
        if !left.isEmpty {
            context.output.note("omitted, because it is specific to this machine: \(left.joined(separator: ", "))")
        }
    }
}

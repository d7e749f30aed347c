/// The configuration of a provider as a system configuration file, without secrets and settings of this machine.
package struct ProviderExport: Sendable {
    @Shared private var provider: Provider
    private let settings: [ProviderSetting]
    package let left: [String]

    package init(_ provider: Provider) {
        let all = Provider.settings.filter { !$0.isDefault(provider) }
        settings = all.filter { !$0.kind.isOfMachine }
        left = all.filter(\.kind.isOfMachine).map(\.key)
        _provider = Shared(wrappedValue: provider)
    }

    package func text() throws -> String {
        try ConfigFile.systemText(YAMLMapping(provider, settings), of: provider.id)
    }

    /// The provider as an entry of the catalog (`catalog.d/NAME.yaml`), without the client.
    package func entry() throws -> String {
        var entry = YAMLMapping()
        entry["title"] = .text(ProviderID.name(in: provider.id) ?? provider.id)
        entry["id"] = .text(provider.id)
        let uri = (provider.redirectURI ?? provider.defaultRedirectURI).flatMap { try? HTTPURL($0) }
        if let uri, uri.isLoopback {
            entry["redirect"] = .text("\(uri.explicitPort == nil ? "any" : "fixed") \(uri.host)")
        }
        entry.write(provider, settings.filter { Provider.settingsOfEntries.contains($0.key) })
        return try ConfigFile.text(entry)
    }

    package var json: JSONValue {
        let object = settings.reduce(into: JSONObject()) { $0[$1.key] = $1.written(provider)?.json }
        return ["providers": .object([provider.id: .object(object)])]
    }
}

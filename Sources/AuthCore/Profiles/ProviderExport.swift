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

    package var json: JSONValue {
        let object = settings.reduce(into: JSONObject()) { $0[$1.key] = $1.written(provider)?.json }
        return ["providers": .object([provider.id: .object(object)])]
    }
}

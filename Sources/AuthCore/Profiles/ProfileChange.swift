/// The last changes of the store and of `config.yaml`.
package struct ProfileChange: Sendable, Equatable {
    private let store: FileChange?
    private let settings: FileChange?

    package init(of profile: Profile) {
        func change(_ file: String) -> FileChange? { FileChange(at: profile.configDirectory.path(of: file)) }
        (store, settings) = (change(Store.name), change(ConfigDirectory.settingsName))
    }

    func hasOtherSettings(than other: ProfileChange) -> Bool { settings != other.settings }
}

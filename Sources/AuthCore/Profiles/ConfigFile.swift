/// `config.yaml`, which users also edit. A change preserves comments, order and unknown settings.
package struct ConfigFile: Sendable {
    private let document: YAMLDocument
    private(set) var root: YAMLMapping
    private let path: String

    package init(in directory: ConfigDirectory) throws {
        try self.init(try directory.settings(), path: directory.path(of: ConfigDirectory.settingsName))
    }

    /// - Parameter path: the file's path, for error messages.
    init(_ bytes: [UInt8], path: String) throws(ConfigFileError) {
        self.path = path
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .unreadable(path: path, .notUTF8) }
        do throws(YAMLProblem) { document = try YAMLDocument(bytes) } catch {
            throw .unreadable(path: path, .yaml(error))
        }
        guard let node = document.root, !node.isNull else {
            root = YAMLMapping()
            return
        }
        guard let mapping = node.mapping else { throw .unreadable(path: path, .notAMapping(.top)) }
        root = mapping
    }

    /// The digest that identifies this content later, without parsing it.
    package func digest(namesEmulator: Bool) throws -> SettingsDigest {
        try SettingsDigest(document.bytes, namesEmulator: namesEmulator)
    }

    private func notAMapping(_ part: ConfigFileFault.Part) -> ConfigFileError {
        .unreadable(path: path, .notAMapping(part))
    }

    private func invalid(_ setting: String, of profile: String, fault: SettingFault) -> ConfigFileError {
        .invalid(path: path, setting: "profile '\(profile)': \(setting)", fault)
    }

    func bytes() throws(ConfigFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(YAMLProblem) { bytes = try YAMLEditor.bytes(of: document, containing: root) } catch {
            throw .unchangeable(path: path, .yaml(error))
        }
        guard bytes.count <= ConfigDirectory.settingsLimit else {
            throw .unchangeable(path: path, .tooLong(limit: ConfigDirectory.settingsLimit))
        }
        return bytes
    }

    static func systemText(_ configuration: YAMLMapping, of id: String) throws(ConfigFileError) -> String {
        var (root, providers) = (YAMLMapping(), YAMLMapping())
        providers[id] = .mapping(configuration)
        root["providers"] = .mapping(providers)
        return try text(root)
    }

    static func text(_ root: YAMLMapping) throws(ConfigFileError) -> String {
        var file = try ConfigFile([], path: "")
        file.root = root
        return String(decoding: try file.bytes(), as: UTF8.self)
    }

    /// Writes the file in one step. The caller holds the `config` lock.
    package func save(in directory: ConfigDirectory) throws {
        try directory.replaceFile(ConfigDirectory.settingsName, try bytes())
    }

    /// Writes the file as it was read, if it has changed since. The caller holds the `config` lock.
    func restore(in directory: ConfigDirectory) throws {
        guard try directory.settings() != document.bytes else { return }
        try directory.replaceFile(ConfigDirectory.settingsName, document.bytes)
    }

    // MARK: Profiles

    package var profileNames: [String] { root["profiles"]?.mapping?.keys ?? [] }

    /// Adds a profile without settings, unless it exists.
    package mutating func add(profile: String) throws { try change(profile) { _ in } }

    /// Returns the file with a profile renamed. Earlier changes that were not saved are not included.
    package func renaming(_ profile: String, to name: String) throws -> ConfigFile {
        guard let place = root["profiles"]?.mapping?.entry(profile)?.key.place else { return self }
        let splice = Splice(range: place.range, text: YAMLText.flow(.text(name)))
        let renamed = try ConfigFile(document.bytes.applying([splice]), path: path)
        let names = profileNames.map { $0 == profile ? name : $0 }
        guard renamed.profileNames == names else {
            throw ConfigFileError.unchangeable(path: path, .yaml(YAMLProblem(reason: .unchangeable)))
        }
        return renamed
    }

    package mutating func remove(profile: String) throws {
        guard try profileMapping(profile) != nil, var profiles = root["profiles"]?.mapping else { return }
        profiles[profile] = nil
        root["profiles"] = .mapping(profiles)
    }

    private func profileMapping(_ profile: String) throws(ConfigFileError) -> YAMLMapping? {
        guard let profiles = root["profiles"], !profiles.isNull else { return nil }
        guard let mapping = profiles.mapping else { throw notAMapping(.profiles) }
        guard let entry = mapping[profile], !entry.isNull else { return nil }
        guard let found = entry.mapping else { throw notAMapping(.profile(profile)) }
        return found
    }

    private mutating func change(_ profile: String, _ change: (inout YAMLMapping) -> Void) throws(ConfigFileError) {
        var profiles = root["profiles"]?.mapping ?? YAMLMapping()
        var entry = try profileMapping(profile) ?? YAMLMapping()
        change(&entry)
        profiles[profile] = .mapping(entry)
        root["profiles"] = .mapping(profiles)
    }

    package func oneAccountPerEmail(profile: String) throws -> Bool {
        let key = "one_account_per_email"
        guard let node = try profileMapping(profile)?[key] else { return true }
        do throws(SettingFault) { return try node.flag() } catch { throw invalid(key, of: profile, fault: error) }
    }

    package mutating func setOneAccountPerEmail(_ isOn: Bool, profile: String) throws {
        try change(profile) { $0["one_account_per_email"] = .bool(isOn) }
    }

    // MARK: Firebase projects

    package func firebaseProject(profile: String) throws -> FirebaseSettings? {
        guard let entry = try profileMapping(profile), let kind = entry["directory"]?.text else { return nil }
        guard kind == "firebase" else {
            guard kind == "local" else {
                throw invalid("directory", of: profile, fault: .noneOf(["local", "firebase"], ServerText(kind)))
            }
            return nil
        }
        let project = entry["firebase"]?.mapping ?? YAMLMapping()
        let missing = FirebaseSettings.settings.filter { $0.isRequired && project[$0.key]?.text?.isEmpty ?? true }
        guard missing.isEmpty else {
            throw invalid(
                "firebase", of: profile,
                fault: project.missing(missing.map(\.key), from: FirebaseSettings.settings, in: document.bytes))
        }
        var settings = FirebaseSettings(apiKey: "", projectID: "")
        do throws(InvalidSetting) {
            // Version 0.2.0 wrote empty values.
            try project.read(FirebaseSettings.settings.filter { project[$0.key]?.text != "" }, into: &settings)
        } catch {
            throw invalid("firebase: \(error.key)", of: profile, fault: error.fault)
        }
        return settings
    }

    package mutating func setDirectory(_ settings: FirebaseSettings?, profile: String) throws {
        try change(profile) { entry in
            entry["directory"] = settings.map { _ in .text("firebase") }
            entry["firebase"] = settings.map { settings in
                var project = entry["firebase"]?.mapping ?? YAMLMapping()
                project.write(settings, FirebaseSettings.settings)
                return .mapping(project)
            }
        }
    }

    // MARK: Providers

    private func providers(_ profile: String) throws(ConfigFileError) -> YAMLMapping? {
        guard let node = try profileMapping(profile)?["providers"], !node.isNull else { return nil }
        guard let mapping = node.mapping else { throw notAMapping(.providers) }
        return mapping
    }

    private mutating func changeProviders(
        _ profile: String, _ change: (inout YAMLMapping) -> Void
    ) throws(ConfigFileError) {
        var providers = try self.providers(profile) ?? YAMLMapping()
        change(&providers)
        try self.change(profile) { $0["providers"] = .mapping(providers) }
    }

    package func providerIDs(profile: String) throws -> [String] { try providers(profile)?.keys ?? [] }

    package var secretVariables: Set<String> {
        let profiles = root["profiles"]?.mapping?.entries.compactMap(\.value.mapping) ?? []
        let entries = profiles.flatMap { $0["providers"]?.mapping?.entries.compactMap(\.value.mapping) ?? [] }
        return Set(entries.compactMap { $0["client_secret_env"]?.text })
    }

    package func provider(_ id: String, profile: String) throws -> Provider? {
        let checked = try ProviderID(id)
        guard let node = try providers(profile)?[id] else { return nil }
        guard let mapping = node.mapping else { throw notAMapping(.provider(id)) }
        do {
            // Version 0.1.0 did not write the path, so users registered the shared one.
            return try Provider(mapping, of: checked, in: document.bytes, redirectPath: Provider.sharedRedirectPath)
        } catch ProviderError.invalid(let setting, let fault) {
            throw ConfigFileError.invalid(path: path, setting: setting, fault)
        }
    }

    package func unknownKeys(profile: String) -> [UnknownKeyWarning] {
        func warnings(_ mapping: YAMLMapping?, _ known: [String]) -> [UnknownKeyWarning] {
            mapping?.unknownKeys(known: known, in: document.bytes) ?? []
        }
        let entry = root["profiles"]?.mapping?[profile]?.mapping
        let providers = entry?["providers"]?.mapping?.entries.compactMap(\.value.mapping) ?? []
        return warnings(root, ["profiles"])
            + warnings(entry, ["directory", "firebase", "one_account_per_email", "providers"])
            + warnings(entry?["firebase"]?.mapping, FirebaseSettings.settings.map(\.key))
            + providers.flatMap { warnings($0, Provider.settings.map(\.key)) }
    }

    package mutating func set(_ provider: Provider, profile: String) throws {
        try changeProviders(profile) { $0[provider.id] = .mapping(YAMLMapping(provider, Provider.settings)) }
    }

    package func dropped(by provider: Provider, profile: String) throws -> [String] {
        let new = YAMLMapping(provider, Provider.settings)
        return try (providers(profile)?[provider.id]?.mapping?.keys ?? []).filter { new[$0] == nil }
    }

    package mutating func remove(_ names: [String], of id: String, profile: String) throws {
        guard var mapping = try providers(profile)?[id]?.mapping else { throw ProviderError.notConfigured(id) }
        for name in names { mapping[name] = nil }
        try changeProviders(profile) { $0[id] = .mapping(mapping) }
    }

    package mutating func change(_ names: some Collection<String>, to provider: Provider, profile: String) throws {
        guard var mapping = try providers(profile)?[provider.id]?.mapping else {
            throw ProviderError.notConfigured(provider.id)
        }
        for setting in Provider.settings where names.contains(setting.key) {
            // The default scopes are not written, but they can be added.
            let value = setting.kind == .words ? setting.value(provider) : setting.written(provider)
            mapping[setting.key] = value.map { YAMLNode($0).joined(to: mapping[setting.key]) }
        }
        try changeProviders(profile) { $0[provider.id] = .mapping(mapping) }
    }

    package mutating func adopt(_ system: SystemConfiguration.Configuration, profile: String) throws {
        guard case .mapping(var mapping) = YAMLNode.mapping(system.mapping).withoutPositions.content else { return }
        let provider = system.provider
        if mapping["redirect_path"] == nil, mapping["redirect_uri"] == nil, provider.dialect.redirect != .publicURL {
            mapping["redirect_path"] = .text(provider.redirectPath)
        }
        try changeProviders(profile) { $0[provider.id] = .mapping(mapping) }
    }

    package mutating func remove(_ id: String, profile: String) throws -> Bool {
        guard try providerIDs(profile: profile).contains(id) else { return false }
        try changeProviders(profile) { $0[id] = nil }
        return true
    }
}

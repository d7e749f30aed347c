/// Why one setting in `config.yaml` cannot be used.
struct InvalidSetting: Error {
    let key: String
    let fault: SettingFault
}

extension YAMLMapping {
    init<Owner>(_ owner: Owner, _ settings: [Setting<Owner>]) {
        self.init()
        write(owner, settings)
    }

    mutating func write<Owner>(_ owner: Owner, _ settings: [Setting<Owner>]) {
        for setting in settings { self[setting.key] = setting.written(owner).map { YAMLNode($0) } }
    }

    func read<Owner>(_ settings: [Setting<Owner>], into owner: inout Owner) throws(InvalidSetting) {
        for setting in settings {
            guard let node = self[setting.key] else { continue }
            do throws(SettingFault) { try setting.set(node.value(setting.kind), of: &owner) } catch {
                throw InvalidSetting(key: setting.key, fault: error)
            }
        }
    }
}

extension YAMLNode {
    init(_ value: SettingValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .flag(let isOn): self = .bool(isOn)
        case .list(let texts): self = .texts(texts)
        case .pairs(let pairs): self = .mapping(pairs.reduce(into: YAMLMapping()) { $0[$1.0] = .text($1.1) })
        case .nothing: self = .text("")
        }
    }

    func value(_ kind: SettingKind) throws(SettingFault) -> SettingValue {
        switch kind {
        case .text, .file, .variable, .endpoint:
            guard let text else { throw .notText }
            return .text(text)
        case .flag: return .flag(try flag())
        case .list, .words: return .list(isNull ? [] : text.map(Scopes.split) ?? texts)
        case .pairs:
            guard let entries = isNull ? [] : mapping?.entries else { throw .notAMapping }
            return .pairs(
                try entries.map { (entry) throws(SettingFault) in
                    guard let name = entry.key.text, let value = entry.value.text else { throw .notAMapping }
                    return (name, value)
                })
        }
    }

    func flag() throws(SettingFault) -> Bool {
        guard let bool else { throw .noneOf(["true", "false"], ServerText(text ?? "")) }
        return bool
    }

    /// Returns the list or mapping added to the existing value. Other values replace it.
    func joined(to old: YAMLNode?) -> YAMLNode {
        if let added = mapping, var all = old?.mapping {
            for entry in added.entries { if let name = entry.key.text { all[name] = entry.value } }
            return .mapping(all)
        }
        guard let added = sequence, let old else { return self }
        let before = old.text.map(Scopes.split) ?? old.texts
        return .texts(before + added.compactMap(\.text).filter { !before.contains($0) })
    }
}

extension Provider {
    /// Reads the configuration of a provider.
    /// - Parameter text: the bytes that contain it, to find misspelled keys.
    init(_ mapping: YAMLMapping, of id: ProviderID, in text: [UInt8], redirectPath: String?) throws(ProviderError) {
        func place(_ key: String) throws(ProviderError) -> String? {
            guard let node = mapping[key] else { return nil }
            guard let text = node.text else { throw .invalid(setting: "\(id): \(key)", .notText) }
            return text
        }
        // An app's tokens and personal ones require no client.
        let requiresClient = Dialect.named(id.description)?.personalTokens == nil
        let clientID = try place("client_id") ?? ""
        do throws(ProviderError) {
            try self.init(
                id, issuer: place("issuer"), baseURL: place("base_url"), preset: place("preset"),
                tokenEndpoint: place("token_endpoint"),
                clientID: clientID.isEmpty && requiresClient ? nil : clientID)
        } catch .invalid(let setting, .missing(let names)) {
            throw .invalid(setting: setting, mapping.missing(names, from: Provider.settings, in: text))
        }
        if let redirectPath { self.redirectPath = redirectPath }
        do throws(InvalidSetting) { try mapping.read(Provider.settings, into: &self) } catch {
            throw .invalid(setting: "\(id): \(error.key)", error.fault)
        }
        try checkKind()
    }
}

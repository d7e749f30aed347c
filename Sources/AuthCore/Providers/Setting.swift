/// The value of a setting in `config.yaml` or in an option.
package enum SettingValue: Sendable {
    case text(String)
    case flag(Bool)
    case list([String])
    case pairs([(String, String)])
    case nothing

    package var displayText: String {
        switch self {
        case .text(let text): text
        case .flag(let isOn): isOn ? "yes" : "no"
        case .list(let texts): texts.joined(separator: " ")
        case .pairs(let pairs): pairs.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        case .nothing: ""
        }
    }

    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .flag(let isOn): .bool(isOn)
        case .list(let texts): JSONValue(texts)
        case .pairs(let pairs): .object(pairs.reduce(into: JSONObject()) { $0[$1.0] = .string($1.1) })
        case .nothing: .null
        }
    }
}

/// How the text of a setting is read.
package enum SettingKind: Sendable {
    case text, file, variable, endpoint, flag, list, words, pairs

    var isOfMachine: Bool { self == .file || self == .variable }
}

/// One setting of a provider or of a Firebase project: its name in `config.yaml`, and how it is read, written and shown.
package struct Setting<Owner: Sendable>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

    package let key: String
    package let kind: SettingKind
    /// The option's name, without leading dashes; nil if no command sets or removes it separately.
    package private(set) var option: String?
    package private(set) var isInText = true
    package private(set) var isInJSON = true
    package private(set) var owner: String?
    /// Whether the configuration is invalid without this setting.
    package private(set) var isRequired = false
    package private(set) var isRelevant: @Sendable (Owner) -> Bool = { _ in true }
    package let value: @Sendable (Owner) -> SettingValue?
    package let isDefault: @Sendable (Owner) -> Bool
    private let store: (@Sendable (SettingValue, inout Owner) throws(SettingFault) -> Void)?

    init(
        _ key: String, as kind: SettingKind = .text, value: @escaping @Sendable (Owner) -> SettingValue?,
        isDefault: @escaping @Sendable (Owner) -> Bool,
        store: (@Sendable (SettingValue, inout Owner) throws(SettingFault) -> Void)? = nil
    ) {
        self.key = key
        self.kind = kind
        self.value = value
        self.isDefault = isDefault
        self.store = store
        let name = key.replacing("_", with: "-")
        option =
            switch kind {
            case .list, .words, .pairs: String(name.dropLast())
            default: name
            }
    }

    init<Value: Equatable & Sendable>(
        _ key: String, at path: Path<Value>, as kind: SettingKind = .text,
        default standard: @escaping @Sendable (Owner) -> Value,
        parse: @escaping @Sendable (SettingValue) throws(SettingFault) -> Value,
        format: @escaping @Sendable (Value) -> SettingValue?
    ) {
        self.init(
            key, as: kind, value: { format($0[keyPath: path]) }, isDefault: { $0[keyPath: path] == standard($0) },
            store: { (value, owner) throws(SettingFault) in owner[keyPath: path] = try parse(value) })
    }

    package func set(_ value: SettingValue, of owner: inout Owner) throws(SettingFault) { try store?(value, &owner) }

    package func written(_ owner: Owner) -> SettingValue? { isDefault(owner) ? nil : value(owner) }

    package var jsonName: String {
        let words = key.split(separator: "_").dropLast(kind == .file && key.hasSuffix("_file") ? 1 : 0)
        let later = words.dropFirst().map { word in word.prefix(1).uppercased() + String(word.dropFirst()) }
        return words.prefix(1).joined() + later.joined()
    }

    // MARK: Groups of settings

    func shown(inText: Bool = true, inJSON: Bool = true) -> Setting {
        changed { ($0.isInText, $0.isInJSON) = (inText, inJSON) }
    }

    func hidden() -> Setting { shown(inText: false, inJSON: false) }

    func with(_ owner: String) -> Setting { changed { $0.owner = owner } }
    func named(_ name: String?) -> Setting { changed { $0.option = name } }
    func required() -> Setting { changed { $0.isRequired = true } }
    func relevant(_ isRelevant: @escaping @Sendable (Owner) -> Bool) -> Setting {
        changed { $0.isRelevant = isRelevant }
    }

    private func changed(_ change: (inout Setting) -> Void) -> Setting {
        var setting = self
        change(&setting)
        return setting
    }
}

// MARK: Settings by their types

extension Setting {
    static func text(
        _ key: String, at path: Path<String?>, as kind: SettingKind = .text,
        default standard: @escaping @Sendable (Owner) -> String? = { _ in nil }
    ) -> Setting {
        Setting(
            key, at: path, as: kind, default: standard,
            parse: { (value) throws(SettingFault) in try value.stringIfAny() },
            format: { $0.map { .text($0) } })
    }

    static func required(_ key: String, at path: Path<String>) -> Setting {
        Setting(
            key, value: { .text($0[keyPath: path]) }, isDefault: { _ in false },
            store: { (value, owner) throws(SettingFault) in owner[keyPath: path] = try value.string() }
        ).required()
    }

    static func choice<Word: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
        _ key: String, at path: Path<Word>, default standard: @escaping @Sendable (Owner) -> Word
    ) -> Setting {
        Setting(
            key, at: path, default: standard, parse: { (value) throws(SettingFault) in try value.word() },
            format: { .text($0.rawValue) })
    }

    static func word<Word: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
        _ key: String, at path: Path<Word?>
    ) -> Setting {
        Setting(
            key, at: path, default: { _ in nil }, parse: { (value) throws(SettingFault) in try value.word() as Word },
            format: { $0.map { .text($0.rawValue) } })
    }

    static func flag(_ key: String, at path: Path<Bool>) -> Setting {
        Setting(
            key, at: path, as: .flag, default: { _ in false },
            parse: { (value) throws(SettingFault) in try value.isOn() },
            format: { .flag($0) })
    }

    static func list(
        _ key: String, at path: Path<[String]>, as kind: SettingKind = .list,
        default standard: @escaping @Sendable (Owner) -> [String] = { _ in [] }
    ) -> Setting {
        Setting(
            key, at: path, as: kind, default: standard, parse: { (value) throws(SettingFault) in try value.texts() },
            format: { .list($0) })
    }
}

extension SettingValue {
    func string() throws(SettingFault) -> String {
        guard case .text(let text) = self else { throw .notText }
        return text
    }

    fileprivate func stringIfAny() throws(SettingFault) -> String? {
        if case .nothing = self { return nil }
        return try string()
    }

    fileprivate func word<Word: RawRepresentable<String> & CaseIterable>() throws(SettingFault) -> Word {
        let text = try string()
        if let word = Word(rawValue: text) { return word }
        let all = Word.allCases.map(\.rawValue)
        throw all.count > 3 ? .unknown(ServerText(text)) : .noneOf(all, ServerText(text))
    }

    func isOn() throws(SettingFault) -> Bool {
        guard case .flag(let isOn) = self else { throw .noneOf(["true", "false"], ServerText("")) }
        return isOn
    }

    fileprivate func texts() throws(SettingFault) -> [String] {
        guard case .list(let texts) = self else { throw .notText }
        return texts
    }
}

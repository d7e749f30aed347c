import Glibc

/// Providers that an administrator configures for every user of a machine. A user's own configuration replaces them.
/// They are read from `config.yaml` in a directory owned by root, then from the `.yaml` files of its `conf.d` in order.
/// The last configuration of a provider takes precedence:
///
///     providers:
///       oidc.work: {issuer: https://id.example.com, client_id: authctl}
///
/// An invalid file is reported and ignored, so that it cannot disable users' own providers.
/// See docs/decisions/034.
package struct SystemConfiguration: Sendable {
    /// The default directory of the files.
    package static let defaultPath = "/etc/authctl"
    package static let variable = "AUTHCTL_SYSTEM_CONFIG_DIR"
    static let none = SystemConfiguration()
    /// The maximum length of a file in bytes.
    static let fileLimit = 1 << 20

    package struct Configuration: Sendable {
        @Shared package var provider: Provider
        package let place: Place
        let mapping: YAMLMapping
    }

    /// Where the configuration of a provider begins.
    package struct Place: Sendable, Equatable {
        package let path: String
        package let line: Int
    }

    package private(set) var ids: [String] = []
    private var configurations: [String: Configuration] = [:]
    package private(set) var problems: [SystemConfigurationError] = []
    package private(set) var unknownKeys: [(path: String, key: UnknownKeyWarning)] = []
    package private(set) var paths: [String] = []

    package subscript(id: String) -> Configuration? { configurations[id] }

    package func problem(of id: String) -> SystemConfigurationError? {
        problems.last { $0.provider == id } ?? problems.first { $0.provider == nil }
    }

    var secretVariables: [String] { configurations.values.compactMap(\.provider.clientSecretVariable) }

    private init() {}

    /// - Parameter trusted: the users who can write and create the files.
    init(in directory: String, _ trusted: TrustedPath = .ofSystem) {
        guard SystemConfiguration.exists(at: directory) else { return }
        do throws(PathFault) {
            guard let names = try trusted.names(in: directory) else { return }
            if names.contains("config.yaml") { read(directory + "/config.yaml", trusted) }
            guard names.contains("conf.d") else { return }
            // As in run-parts, files that editors and package managers leave behind are ignored.
            for name in try trusted.names(in: directory + "/conf.d") ?? []
            where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
                read(directory + "/conf.d/" + name, trusted)
            }
        } catch {
            problems.append(SystemConfigurationError(path: error.path, fault: .file(error.reason)))
        }
    }

    static func exists(at path: String) -> Bool {
        stat(at: path, followsLinks: false) != nil || (errno != ENOENT && errno != ENOTDIR)
    }

    private mutating func read(_ path: String, _ trusted: TrustedPath) {
        do throws(PathFault) {
            if let bytes = try trusted.read(path, limit: SystemConfiguration.fileLimit) {
                add(bytes, path: path)
            } else if SystemConfiguration.exists(at: path) {
                // A link to a file that does not exist.
                throw PathFault(path: path, .system(code: ENOENT))
            }
        } catch {
            problems.append(SystemConfigurationError(path: error.path, fault: .file(error.reason)))
        }
    }

    // MARK: One file

    private mutating func add(_ bytes: [UInt8], path: String) {
        paths.append(path)
        func refuse(_ fault: SystemConfigurationError.Fault, at node: YAMLNode? = nil) {
            problems.append(SystemConfigurationError(path: path, line: node?.line(in: bytes), fault: fault))
        }
        let root: YAMLMapping
        do throws(ConfigFileError) { root = try ConfigFile(bytes, path: path).root } catch {
            guard case .unreadable(_, let fault) = error else { return }
            return refuse(.content(fault))
        }
        if let (name, key) = root.secret { return refuse(.secret(name), at: key) }
        if let entry = root.entry("profiles") { return refuse(.profiles, at: entry.key) }
        unknownKeys += root.unknownKeys(known: ["providers"], in: bytes).map { (path, $0) }
        guard let providers = root.entry("providers") else { return }
        guard let entries = providers.value.mapping?.entries else {
            return refuse(.content(.notAMapping(.providers)), at: providers.key)
        }
        for entry in entries {
            guard let id = entry.key.text else { continue }
            add(id, entry: entry, in: bytes, at: Place(path: path, line: entry.key.line(in: bytes) ?? 1))
        }
    }

    private mutating func add(_ id: String, entry: YAMLMapping.Entry, in bytes: [UInt8], at place: Place) {
        // The last configuration of a provider replaces earlier ones, even if it is invalid.
        if configurations.removeValue(forKey: id) != nil { ids.removeAll { $0 == id } }
        func refuse(_ fault: SystemConfigurationError.Fault, _ line: Int? = nil) {
            problems.append(
                SystemConfigurationError(path: place.path, line: line ?? place.line, provider: id, fault: fault))
        }
        guard let mapping = entry.value.mapping else { return refuse(.content(.notAMapping(.provider(id)))) }
        do {
            let provider = try Provider(mapping, of: try ProviderID(id), in: bytes, redirectPath: nil)
            configurations[id] = Configuration(provider: provider, place: place, mapping: mapping)
            ids.append(id)
            let known = Provider.settings.map(\.key)
            unknownKeys += mapping.unknownKeys(known: known, in: bytes).map { (place.path, $0) }
        } catch ProviderError.invalid(let setting, let fault) {
            let key = setting.hasPrefix(id + ": ") ? String(setting.dropFirst(id.count + 2)) : ""
            refuse(.setting(setting, fault), mapping.entry(key)?.key.line(in: bytes))
        } catch {
            refuse(.unknownProvider(ServerText(id)))
        }
    }
}

/// Why a system configuration file, or one provider in it, is not used.
package struct SystemConfigurationError: CodedError, Sendable, Equatable {
    package let path: String
    package internal(set) var line: Int?
    /// The affected provider; nil for the whole file.
    package internal(set) var provider: String?
    package let fault: Fault
    package var code: ErrorCode { .invalidConfiguration }

    package enum Fault: Sendable, Equatable {
        case file(PathFault.Reason)
        case content(ConfigFileFault)
        case secret(String)
        /// Only the user's own file can have profiles.
        case profiles
        case setting(String, SettingFault)
        case unknownProvider(ServerText)
    }
}

extension YAMLMapping {
    /// Names of secrets, without dashes and underscores.
    private static let secrets: Set = [
        "clientsecret", "clientassertion", "secret", "password", "passphrase", "token", "accesstoken", "refreshtoken",
        "idtoken",
    ]

    fileprivate var secret: (name: String, key: YAMLNode)? {
        for entry in entries {
            let name = entry.key.text ?? ""
            let isOne = Self.secrets.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
            if isOne || entry.value.text?.contains("PRIVATE KEY-----") == true { return (name, entry.key) }
            let inner = [entry.value] + (entry.value.sequence ?? [])
            for mapping in inner.compactMap(\.mapping) { if let found = mapping.secret { return found } }
        }
        return nil
    }
}

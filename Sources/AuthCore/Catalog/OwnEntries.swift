/// Entries of users and organizations: `catalog.d/NAME.yaml` in the configuration directory, and in that of the system.
extension Profile {
    private static let entryLimit = 64 << 10
    private static let entriesLimit = 256

    private var entryDirectories: [(path: String, TrustedPath)] {
        [(configDirectory.path, .ofConfigDirectory), (systemDirectory, .ofSystem)].map { ($0 + "/catalog.d", $1) }
    }

    /// The names of the entries in files, which are not read.
    package var ownEntryNames: [String] {
        let files = entryDirectories.flatMap { (try? $1.names(in: $0)) ?? [] }.filter { $0.hasSuffix(".yaml") }
        return Set(files.map { String($0.dropLast(".yaml".count)) }).sorted().prefix(Profile.entriesLimit).map(\.self)
    }

    /// The entry of this name: of this version, of the user, or of the organization. A file is read only for its name.
    package func catalogEntry(_ name: String) throws(CatalogError) -> CatalogEntry? {
        guard (try? ProviderID(name)) == nil else { return nil }
        if let entry = Catalog.named(name) ?? Catalog.titled(name) { return entry }
        // An entry cannot replace a built-in provider.
        guard AccountName.isName(name), (try? ProviderID(Dialect.id(called: name))) == nil else { return nil }
        for (directory, trusted) in entryDirectories {
            let path = "\(directory)/\(name).yaml"
            let found: [UInt8]?
            do throws(PathFault) { found = try trusted.read(path, limit: Profile.entryLimit) } catch {
                throw CatalogError(path: path, fault: .file(error.reason))
            }
            guard let bytes = found else { continue }
            do throws(CatalogError) { return try CatalogEntry(name, own: bytes, path: path) } catch {
                var error = error
                error.path = path
                throw error
            }
        }
        return nil
    }
}

extension CatalogEntry {
    /// An entry in a file of its own. It cannot replace what this version knows.
    fileprivate init(_ name: String, own bytes: [UInt8], path: String) throws(CatalogError) {
        let mapping: YAMLMapping
        do throws(ConfigFileError) { mapping = try ConfigFile(bytes, path: path).root } catch {
            guard case .unreadable(_, let fault) = error else { throw CatalogError(fault: .key(name)) }
            throw CatalogError(fault: .content(fault))
        }
        let id = mapping["id"]?.text ?? ""
        // The variables of a provider are named by its ID, in capital letters.
        let variable = Provider.environmentName(id)
        if Catalog.entries.contains(where: { Provider.environmentName($0.id) == variable }) {
            throw CatalogError(.taken(id), at: mapping["id"], in: bytes)
        }
        guard ProviderID.name(in: id) == name else { throw CatalogError(.value("id"), at: mapping["id"], in: bytes) }
        try self.init(name, entry: mapping, in: bytes)
        try check(mapping)
        if let host = (try? example()).flatMap(Catalog.takenHost) { throw CatalogError(fault: .taken(host)) }
        file = path
    }
}

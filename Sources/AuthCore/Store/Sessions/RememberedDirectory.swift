/// The directory at the time when `config.yaml` was last parsed. While the file does not change, `token` does not parse
/// it.
struct RememberedDirectory {
    let db: Database
    let profile: String

    /// Nil if the settings must be parsed.
    func directoryID(_ settings: SettingsDigest) throws -> DirectoryID? {
        let row = try Row.fetchOne(
            db,
            """
            SELECT directory,
                (SELECT id FROM home WHERE home.profile = known.profile AND home.directory = known.directory) AS home
            FROM profile_directory AS known WHERE profile = \(profile) AND settings = \(settings.digest)
            """)
        guard let row, let origin = DirectoryOrigin(text: try row["directory"]) else { return nil }
        guard !settings.namesEmulator || origin == .local else { return nil }
        return DirectoryID(id: try row["home"] ?? 0, origin: origin)
    }

    func put(_ origin: DirectoryOrigin, _ settings: SettingsDigest) throws {
        try db.replace(
            into: "profile_directory",
            values: ["profile": profile, "settings": settings.digest, "directory": origin.text])
    }
}

extension SessionStore {
    /// Remembers the profile's directory for these settings, if all sessions fit them. Otherwise, and if the store cannot
    /// be written, later commands parse the settings again.
    package func remember(_ settings: SettingsDigest, if fits: (Session) -> Bool = { _ in true }) async {
        let origin = self.origin
        guard origin.emulator == nil, !settings.namesEmulator || origin == .local else { return }
        let known = try? await read { try $0.remembered.directoryID(settings)?.origin }
        guard known != .some(origin), let sessions = try? await readableSessions(), sessions.allSatisfy(fits) else {
            return
        }
        try? await write { try $0.remembered.put(origin, settings) }
    }
}

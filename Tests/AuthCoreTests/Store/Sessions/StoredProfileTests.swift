import AuthCoreTesting
import Testing

@testable import AuthCore

@Suite struct `Profiles in the store` {
    private let folder: StoreFolder
    private let store: Store

    init() throws {
        folder = try StoreFolder()
        store = try folder.store()
    }

    @Test func `Every table with a profile is renamed and removed`() async throws {
        let tables = try await store.read { db in
            try String.fetchAll(
                db,
                """
                SELECT name FROM sqlite_master WHERE type = 'table'
                AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_master.name) AS it WHERE it.name = 'profile')
                """)
        }
        // An unfinished rename belongs to the profile's old name.
        let others = ["provider_secret", "unfinished_rename"]
        #expect(Set(tables) == Set(StoredProfile.tables.map(\.text) + others))
    }

    @Test func `Nothing is changed if the settings cannot be saved`() async throws {
        struct Full: Error {}
        let secrets = ProviderSecrets(sessionStore: SessionStore(store: store, profile: "work"))
        try await secrets.set([.clientSecret: "secret", .registration: "registered"], of: "oidc.test")
        let profile = StoredProfile(store: store, name: "work")
        await #expect(throws: Full.self) { try await profile.move(to: "acme") { throw Full() } }
        await #expect(throws: Full.self) { try await profile.remove { throw Full() } }
        #expect(try await secrets.text(.clientSecret, of: "oidc.test") == "secret")
        try await profile.move(to: "acme") {}
        let moved = ProviderSecrets(sessionStore: SessionStore(store: store, profile: "acme"))
        #expect(try await moved.text(.clientSecret, of: "oidc.test") == "secret")
        #expect(try await moved.text(.registration, of: "oidc.test") == "registered")
        #expect(try await !secrets.has(.clientSecret, of: "oidc.test"))
    }
}

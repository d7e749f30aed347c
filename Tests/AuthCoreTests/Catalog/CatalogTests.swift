import Testing

@testable import AuthCore

@Suite("Catalog")
struct CatalogTests {
    @Test func `every entry of the file can be used`() throws {
        let root = try #require(try YAMLDocument(Catalog.bytes).root?.mapping)
        for entry in root.entries {
            let name = try #require(entry.key.text)
            let mapping = try #require(entry.value.mapping)
            do { try CatalogEntry(name, entry: mapping, in: Catalog.bytes).check(mapping) } catch {
                Issue.record("\(name): \(error)")
            }
        }
        #expect(Catalog.entries.count == root.entries.count)
        #expect(Catalog.entries.count >= 60)
    }

    // A built-in provider has tests of its own.
    @Test(arguments: Catalog.entries.filter { !Provider.isBuiltIn($0.id) }.map(\.name))
    func `the requests of an entry are those of the facts`(name: String) async throws {
        let entry = try #require(Catalog.named(name))
        let facts = try CatalogFacts(of: entry)
        try facts.checkSettings()
        for secret in [ClientSecret("the-secret-0001"), nil] where entry.secret.allows(secret) {
            let run = try await CatalogRun(entry, facts, secret)
            #expect(run.authorization.text == facts.authorizationRequest(run).text)
            #expect(run.requests.map(\.text) == facts.requests(run, secret).map(\.text))
            #expect(run.identity?.isUnnamed == (facts["identity"] == nil))
            if facts["identity"] != nil { #expect(run.identity?.federatedID == CatalogRun.user) }
        }
    }

    @Test func `each difference from the facts is of an entry, and exists`() throws {
        for difference in CatalogFacts.differences {
            let entry = try #require(Catalog.named(difference.name), "\(difference.name)")
            let cell = try CatalogFacts(of: entry, corrected: false).cell(difference.column)
            #expect(cell != nil && cell != difference.value, "\(difference.name) \(difference.column)")
            #expect(!difference.reason.isEmpty)
        }
    }
}

extension CatalogEntry.Secret {
    fileprivate func allows(_ secret: ClientSecret?) -> Bool {
        switch self {
        case .none: secret == nil
        case .optional: true
        case .required: secret != nil
        }
    }
}

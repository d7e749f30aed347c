import ArgumentParser
import AuthCore

struct ProvidersCatalogCommand: AccountIndependent, PrintsJSON {
    static let output = View<[CatalogEntry]> { Field("services", of: \.self) }
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "List the services that can be set up by their names.")
    static let examples: Examples = [
        "List every service.": "authctl providers catalog",
        "Find a service by a part of its name.": "authctl providers catalog cloud",
    ]

    @Argument(help: "A part of the name.")
    var word: String?

    @OptionGroup var options: GlobalOptions

    var errorContext: ErrorContext { .init("services not listed") }

    func run(_ context: Context) async throws {
        var entries = Catalog.entries
        for name in context.profile.ownEntryNames where Catalog.named(name) == nil {
            do { entries += try context.profile.catalogEntry(name).map { [$0] } ?? [] } catch {
                context.output.note(Failure(error, while: errorContext).message)
            }
        }
        let found = entries.filter { entry in word.map(entry.matches) ?? true }
        context.output.result(Self.output.json(found)) {
            Table.lines(found.map { [$0.name, $0.title, $0.page ?? ""] })
        }
        if found.isEmpty { context.output.note("no service has this in its name") }
    }
}

extension CatalogEntry: Viewed {
    static let view = View<CatalogEntry>("Service") {
        Field("name", of: \.name)
        Field("title", of: \.title)
        Field("providerId", of: \.id)
        Field("page", of: \.page, means: "where to register a client")
        Field("steps", of: \.steps, means: "what to choose there")
        Field("secret", of: \.secret.rawValue, means: "none, optional or required")
        Field("redirectUri", of: \.redirectURI, means: "what to register")
        Field("scopes", of: { (try? $0.example())?.scopes ?? [] })
        Field("uidPath", of: { (try? $0.example())?.userAPI.uidPath }, means: "null: by the ID token, or no user")
        Field("questions", of: \.questions, means: "the values that it needs")
        Field("file", of: \.file, means: "of an entry of your own")
        Field("unconfirmed", of: \.unconfirmed, means: "facts without two sources")
    }
}

extension CatalogEntry.Question: Viewed {
    static let view = View<CatalogEntry.Question>("Question") {
        Field("name", of: \.name, means: "for --answer")
        Field("kind", of: \.kind.rawValue, means: "host, label, segment or url")
        Field("text", of: \.text)
        Field("form", of: \.form, means: "the parts of the answer, in braces")
        Field("default", of: \.standard)
    }
}

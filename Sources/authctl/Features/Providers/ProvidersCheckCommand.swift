import ArgumentParser
import AuthCore

extension ProvidersCommand {
    struct Check: AccountIndependent, PrintsJSON {
        private static let check = View<(id: String, finding: Finding)>("Check") {
            Field("providerId", of: \.id)
            Field("check", of: \.finding.name)
            Field("ok", of: \.finding.isFine)
            Field("detail", of: \.finding.detail)
            Field("hint", of: \.finding.remedy?.text, means: "if it cannot be checked")
        }
        static let output = View<[(id: String, finding: Finding)]> { Field("checks", each: check, of: \.self) }

        static let configuration = CommandConfiguration(
            abstract: "Check a provider's metadata, keys, clock, redirect URI and client.")
        static let examples: Examples = [
            "Check all providers.": "authctl providers check",
            "Check one provider, with an HTTP trace.": "authctl providers check oidc.work --verbose",
        ]

        @Argument(help: "The provider (default: all).", completion: .providers, transform: Dialect.id(called:))
        var id: String?

        @OptionGroup var options: GlobalOptions

        var errorContext: ErrorContext { .init("check failed", provider: id) }

        func run(_ context: Context) async throws {
            try context.noteUnknownKeys()
            let ids = try id.map { [try context.named($0)] } ?? context.profile.providerIDs()
            guard !ids.isEmpty else {
                guard try context.profile.projectSettings() != nil else { return _ = try context.providerID(nil) }
                throw UsageProblem.other(
                    "choose one of the project's providers", hint: .run("authctl providers check google.com"))
            }
            _ = try context.profile.store(creating: false)
            var isFine = true
            var results: [(id: String, finding: Finding)] = []
            for id in ids {
                let findings = try await findings(id, in: context, isAlone: ids.count == 1)
                isFine = isFine && findings.allSatisfy(\.isFine)
                results += findings.map { (id, $0) }
                if !context.output.isJSON { show(findings, of: id, on: context.output) }
            }
            if context.output.isJSON { context.output.json(Self.output.json(results)) }
            if !isFine { throw ExitStatus(code: 1) }
        }

        private func show(_ findings: [Finding], of id: String, on output: Output) {
            for line in Table.lines(findings.map { [$0.isFine ? "ok" : "FAIL", id, $0.name, $0.detail] }) {
                output.line(line)
            }
            for hint in findings.compactMap(\.remedy) { output.line("      → \(hint.text)") }
        }

        private func findings(_ id: String, in context: Context, isAlone: Bool) async throws -> [Finding] {
            do { return try await findings(id, context) } catch
                where !isAlone && !(error is CancellationError) && !(error is StoreError)
            {
                let failure = Failure(error, while: ErrorContext(provider: id))
                    .repeating(context.settings.repeatedOptions)
                return [.wrong("entry", failure.message, failure.hint)]
            }
        }

        private func findings(_ id: String, _ context: Context) async throws -> [Finding] {
            let services = try context.profile.services()
            let found = try context.profile.resolve(id)
            if found.configuration == nil, found.isThroughProject {
                return [try await throughProject(id, in: context, services: services)]
            }
            let provider = try found.configured()
            return try await ProviderCheck(services: services).run(provider, context.profile.keys(of: provider))
                .map { $0.isFine ? .ok($0.name, $0.detail) : .wrong($0.name, $0.detail, nil) }
        }

        /// Checks a provider whose client is the Firebase project. Only the redirect URI is configured on this machine.
        private func throughProject(_ id: String, in context: Context, services: Services) async throws -> Finding {
            guard let project = try context.profile.project() else { throw ProviderError.notConfigured(id) }
            let found = try await ProjectCheck(services: services).run(project)
            let detail = "the Firebase project is its client, with the redirect URI '\(shown: found.redirectURI)'"
            return found.isAuthorized ?? true
                ? .ok("project", detail)
                : .wrong("project", detail + ", whose domain the project has not authorized", nil)
        }
    }
}

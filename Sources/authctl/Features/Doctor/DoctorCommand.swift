import ArgumentParser
import AuthCore

struct DoctorCommand: AccountIndependent, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Diagnose problems and suggest fixes.",
        discussion: """
            Checks files and their permissions, the encryption key, the browser, loopback over IPv4 and IPv6, proxies \
            and certificates, and for each provider: discovery, keys, clock and redirect URI. Exits with 1 if a check \
            fails.
            """)
    static let examples: Examples = [
        "Check everything that a sign-in requires.": "authctl doctor",
        "Check one provider, and print each check.": "authctl doctor github.com --long",
        "Find the authorization server of an API.": "authctl doctor https://api.example.com/",
        "Write a report for a bug tracker.": "authctl doctor --report >report.txt",
    ]

    private static let check = View<Finding>("Check") {
        Field("name", of: \.name, means: "what was checked, or a provider")
        Field("status", of: \.state.rawValue, means: "ok, note, wrong")
        Field("detail", of: \.detail)
        Field("remedy", of: \.remedy?.text, means: "a command or a sentence")
    }
    static let output = View<(findings: [Finding], vault: VaultStatus?)> {
        Field("checks", each: check, of: \.findings)
        Field("vault", of: \.vault, means: "null: it cannot be read")
    }

    @Argument(
        help: .init("The provider, or the URL of an API (default: everything).", valueName: "name"),
        completion: .providers)
    var name: String?

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Print every check.")
    var long = false

    @Flag(help: "Print a Markdown report without names, addresses, hosts and paths, to share with others.")
    var report = false

    var reportsProblems: Bool { true }

    var errorContext: ErrorContext { .init("checks not completed") }

    func validate() throws { try refuse(["--report": report], with: ["--json": options.json]) }

    func run(_ context: Context) async throws {
        let vault = try? await context.profile.vaultStatus()
        // A report is public: it must not contain the profile or directory of this call.
        let given = report ? RepeatedOptions() : context.settings.repeatedOptions
        // An unusable directory makes several checks fail with the same error.
        var seen: Set<String> = []
        let only = try name.map { try context.named(SessionName($0).provider) }
        if let only { _ = try context.profile.resolve(only) }
        let findings = await Doctor(context: context, vault: vault, only: only).findings()
            .filter { $0.state != .wrong || seen.insert($0.detail).inserted }.map { $0.repeating(given) }
        if report {
            for line in Report(context).lines(findings) { context.output.line(line) }
        } else if long || context.output.isJSON {
            context.output.result(Self.output.json((findings, vault))) { lines(findings) }
        } else {
            let ids = try? only.map { [$0] } ?? context.profile.providerIDs()
            let summary = try await DoctorSummary(findings, providers: ids ?? [], isAlone: only != nil, in: context)
            context.output.lines(summary.lines(on: context.screen), on: context.screen)
        }
        if findings.contains(where: { $0.state == .wrong }) { throw ExitStatus(code: 1) }
    }

    /// Every check, a line each.
    private func lines(_ findings: [Finding]) -> [String] {
        let width = findings.map(\.name.count).max() ?? 0
        return findings.flatMap { finding in
            let mark = finding.state == .wrong ? "WRONG" : finding.state == .note ? "note " : "ok   "
            let name = finding.name + String(repeating: " ", count: width - finding.name.count)
            let gap = String(repeating: " ", count: mark.count + width + 4)
            return ["\(mark)  \(name)  \(finding.detail)"] + (finding.remedy.map { ["\(gap)→ \($0.text)"] } ?? [])
        }
    }
}

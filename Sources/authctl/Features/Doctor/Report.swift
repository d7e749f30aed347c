import AuthCore
import Glibc

/// A report that can be published: without names, addresses, hosts, variables of secrets, or paths.
struct Report {
    private let replacements: [(String, String)]
    private let providers: [String: String]

    init(_ context: Context) {
        let ids = (try? context.profile.providerIDs()) ?? []
        let entries = ids.compactMap { try? context.profile.resolve($0).configured() }
        let system = try? context.profile.systemConfiguration()
        let names = ids + (system?.problems.compactMap(\.provider) ?? [])
        let own = names.filter { !Provider.isBuiltIn($0) }
        providers = Dictionary(uniqueKeysWithValues: Report.numbered(own, "provider"))
        let hosts = Report.hosts(entries, context).filter { !["localhost", "127.0.0.1"].contains($0) }
        var replacements = Report.numbered(hosts, "host")
        func replace(_ text: String?, by replacement: String) {
            if let text { replacements.append((text, replacement)) }
        }
        replace(context.environment["SSL_CERT_FILE"], by: "<SSL_CERT_FILE>")
        let files = (system?.paths ?? []) + (system?.problems.map(\.path) ?? [])
        replacements += Report.numbered(files.sorted(), "organization's file")
        replacements += Report.numbered(entries.compactMap(\.clientSecretVariable), "variable")
        for subject in Report.subjects(entries, context) { replace(subject, by: "<subject>") }
        if context.profile.name != Profile.defaultName {
            replace("profile '\(context.profile.name)'", by: "profile '<profile>'")
        }
        replace(context.configDirectory.path, by: "<config>")
        if let home = context.environment["HOME"], home.utf8.count > 1 { replace(home, by: "~") }
        let user = context.environment["USER"] ?? context.environment["LOGNAME"] ?? ""
        if user.utf8.count > 2, user != "root" { replace(user, by: "<user>") }
        // The longest first: a home may be a part of another path.
        self.replacements = replacements.sorted { $0.0.utf8.count > $1.0.utf8.count }
    }

    private static func numbered(_ texts: [String], _ name: String) -> [(String, String)] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }.enumerated().map { ($1, "<\(name) \($0 + 1)>") }
    }

    /// The subjects of the configured client certificates.
    private static func subjects(_ entries: [Provider], _ context: Context) -> [String] {
        Set(entries.compactMap(\.certificateFile)).compactMap { file in
            guard let pem = try? context.profile.host.file(file).bytes, let chain = try? CertificateChain(pem: pem),
                !chain.subject.isEmpty
            else { return nil }
            return ServerText(chain.subject).description
        }
    }

    /// The hosts of the configured providers, of the Firebase project's redirect URI and emulator, and of the proxies.
    private static func hosts(_ entries: [Provider], _ context: Context) -> [String] {
        let own = entries.filter { !Provider.isBuiltIn($0.id) || $0.baseURL != nil }
        let ofProviders = own.flatMap { entry in
            [entry.issuer.host] + entry.apiHosts.compactMap { (try? HTTPURL($0.withDefaultScheme))?.host }
        }
        let redirectURI = (try? context.profile.projectSettings())?.redirectURI
        let emulator = context.environment["FIREBASE_AUTH_EMULATOR_HOST"] ?? ""
        let servers = context.proxies.map { ProxyRules.server(of: context.environment[$0] ?? "") } + [emulator]
        return ofProviders + [redirectURI.flatMap { try? HTTPURL($0) }?.host].compactMap(\.self)
            + servers.filter { !$0.isEmpty }.map { HTTPURL(authority: $0)?.host ?? $0 }
    }

    func redacted(_ text: String) -> String {
        let known = replacements.reduce(text) { $0.replacing($1.0, with: $1.1) }
            .replacing(/oidc\.[A-Za-z0-9_.-]*[A-Za-z0-9_-]/) { match in
                match.0 == "oidc.NAME" ? String(match.0) : providers[String(match.0)] ?? "<provider>"
            }
            .replacing(/AUTHCTL_OIDC_[A-Z0-9_]+?_(CLIENT_ID|CLIENT_SECRET|ISSUER|TOKEN_FILE|TOKEN)\b/) { match in
                "AUTHCTL_<provider>_\(match.1)"
            }
            .replacing(/'\/[^']*'/, with: "'<path>'")
        let words = known.split(separator: " ", omittingEmptySubsequences: false).map { word -> Substring in
            if word.hasPrefix("/") { return "<path>" }
            return word.dropFirst().dropLast().contains("@") ? "<address>" : word
        }
        return words.joined(separator: " ")
    }

    func lines(_ findings: [Finding]) -> [String] {
        var head = [
            "### authctl doctor", "", "authctl \(Version.text), \(Report.system)", "", "| | | |", "| --- | --- | --- |",
        ]
        head += findings.map { finding in
            // Rules have the names of directories and repositories, and their hints also the accounts.
            let isRule = finding.name == "rules"
            let detail = isRule ? finding.detail.replacing(/'[^']*'/, with: "'<rule>'") : finding.detail
            let remedy = (isRule ? nil : finding.remedy).map { " (\(redacted($0.text)))" } ?? ""
            return "| \(finding.state.rawValue) | \(redacted(finding.name)) | \(redacted(detail))\(remedy) |"
        }
        return head
    }

    /// The distribution, the kernel and the architecture.
    private static var system: String {
        let release = (try? SecretInput.file("/etc/os-release")) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(
            "PRETTY_NAME=".count
        ).filter { $0 != "\"" }
        var kernel = utsname()
        uname(&kernel)
        func text<T>(_ value: T) -> String {
            withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [name.map { String($0) } ?? "Linux", "kernel \(text(kernel.release))", text(kernel.machine)].joined(
            separator: ", ")
    }
}

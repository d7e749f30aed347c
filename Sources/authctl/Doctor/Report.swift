import AuthCore
import Glibc

/// Findings to show to strangers: nobody's name, address, home or hosts.
struct Report {
    private let replacements: [(String, String)]

    init(_ context: Context) {
        var replacements: [(String, String)] = []
        var hosts: [String] = []
        for entry in (try? context.profile.entries()) ?? [] where !Provider.isBuiltIn(entry.id) || entry.baseURL != nil
        {
            hosts +=
                [entry.issuer.host]
                + entry.apiHosts.compactMap {
                    (try? HTTPURL($0.contains("://") ? $0 : "https://\($0)"))?.host
                }
        }
        let project = try? context.profile.projectSettings()
        if let url = project?.redirectURI.flatMap({ try? HTTPURL($0) }) { hosts.append(url.host) }
        for name in context.proxies {
            if let url = context.environment[name].flatMap({ try? HTTPURL($0) }) { hosts.append(url.host) }
        }
        var seen: Set<String> = ["localhost", "127.0.0.1"]
        for host in hosts where seen.insert(host).inserted { replacements.append((host, "<host \(seen.count - 2)>")) }
        replacements.append((context.configDirectory.path, "<config>"))
        if let home = context.environment["HOME"], home.utf8.count > 1 { replacements.append((home, "~")) }
        if let user = context.environment["USER"] ?? context.environment["LOGNAME"], user.utf8.count > 2, user != "root"
        {
            replacements.append((user, "<user>"))
        }
        // The longest first: a home may be a part of another path.
        self.replacements = replacements.sorted { $0.0.utf8.count > $1.0.utf8.count }
    }

    func redacted(_ text: String) -> String {
        let known = replacements.reduce(text) { $0.replacing($1.0, with: $1.1) }
        let words = known.split(separator: " ", omittingEmptySubsequences: false).map { word -> Substring in
            // What is left of addresses.
            word.dropFirst().dropLast().contains("@") ? "<address>" : word
        }
        return words.joined(separator: " ")
    }

    func lines(_ findings: [Finding]) -> [String] {
        var head = [
            "### authctl doctor", "", "authctl \(Version.text), \(Report.system)", "", "| | | |", "| --- | --- | --- |",
        ]
        head += findings.map { finding in
            let remedy = finding.remedy.map { " (\(redacted($0.text)))" } ?? ""
            return "| \(finding.state.rawValue) | \(finding.name) | \(redacted(finding.detail))\(remedy) |"
        }
        return head
    }

    /// The distribution and the kernel.
    private static var system: String {
        let release = (try? SecretInput.file("/etc/os-release")) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(
            "PRETTY_NAME=".count
        )
        .filter { $0 != "\"" }
        var kernel = utsname()
        uname(&kernel)
        func text<T>(_ value: T) -> String {
            withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [name.map { String($0) } ?? "Linux", "kernel \(text(kernel.release))", text(kernel.machine)].joined(
            separator: ", ")
    }
}

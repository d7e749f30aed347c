import ArgumentParser
import AuthCore

/// The settings of a Firebase project.
struct ProjectFlags: ParsableArguments {
    @Option(help: .init("The project's web API key, which is not a secret.", valueName: "key"))
    var apiKey: String?

    @Option(help: .init("The project's ID.", valueName: "id"))
    var projectId: String?

    @Option(help: .init("The project's domain for sign-in pages.", valueName: "domain"))
    var authDomain: String?

    @Option(help: .init("The language of the project's emails.", valueName: "tag"))
    var locale: String?

    @Option(help: .init("The bundle ID of the iOS app to which the key is restricted.", valueName: "id"))
    var bundleId: String?

    @Option(help: .init("The URL of the page to which the key is restricted.", valueName: "url"))
    var referer: String?

    @Option(help: .init("The package name of the Android app to which the key is restricted.", valueName: "package"))
    var androidPackage: String?

    @Option(
        help: .init("The SHA-1 of that app's certificate, in hexadecimal.", valueName: "sha-1"),
        transform: AndroidCertificate.init)
    var androidCert: AndroidCertificate?

    @OptionGroup var use: ProjectUseFlags

    var isUsed: Bool { !given.isEmpty || !use.apiHost.isEmpty }

    private var given: [String: String] {
        let own = [
            "api_key": apiKey, "project_id": projectId, "auth_domain": authDomain, "locale": locale,
            "bundle_id": bundleId, "referer": referer.map { (try? HTTPURL($0))?.text ?? $0 },
            "android_package": androidPackage, "android_cert": androidCert?.text,
        ]
        return own.compactMapValues { $0 }.merging(use.given) { own, _ in own }
    }

    func settings() throws -> FirebaseSettings {
        try require(
            apiKey != nil && projectId != nil,
            .missing(["--api-key", "--project-id"], note: " for --directory firebase"))
        // `change` sets and checks both.
        var settings = FirebaseSettings(apiKey: "", projectID: "")
        try change(&settings)
        return settings
    }

    func change(_ settings: inout FirebaseSettings) throws { try settings.change(given, hosts: use.apiHost) }
}

/// The SHA-1 of a certificate as Google's API requires it: forty hexadecimal digits, without colons. Empty to remove
/// the setting.
struct AndroidCertificate {
    let text: String

    init(_ written: String) throws {
        text = written.replacing(":", with: "").uppercased()
        guard !text.isEmpty else { return }
        try require(
            text.utf8.count == 40 && text.allSatisfy(\.isHexDigit),
            "--android-cert must be the certificate's SHA-1: forty hexadecimal digits")
    }
}

/// How this machine uses a Firebase project: settings that the project's own configuration does not have.
struct ProjectUseFlags: ParsableArguments {
    @Option(help: .init("A tenant of the project.", valueName: "id"))
    var tenantId: String?

    @Option(
        help: .init(
            "The redirect URI for providers whose client is the project (default: http://localhost:8400/callback).",
            valueName: "uri"))
    var redirectUri: String?

    @Option(
        help: .init(
            "A remote host that FIREBASE_AUTH_EMULATOR_HOST may name. All requests to it use plain http.",
            valueName: "host"))
    var emulatorHost: String?

    @Option(
        help: .init(
            "A host that 'authctl request' may send the project's token to; repeatable, '' removes all.",
            valueName: "host"))
    var apiHost: [String] = []

    fileprivate var given: [String: String] {
        ["tenant_id": tenantId, "redirect_uri": redirectUri, "emulator_host": emulatorHost].compactMapValues { $0 }
    }

    func apply(to settings: inout FirebaseSettings) throws { try settings.change(given, hosts: apiHost) }
}

extension FirebaseSettings {
    fileprivate mutating func change(_ given: [String: String], hosts: [String]) throws {
        for setting in FirebaseSettings.settings {
            guard let text = given[setting.key] else { continue }
            let option = "--\(setting.option ?? setting.key)"
            if text.isEmpty {
                try refuse(if: setting.isRequired, "\(option) is required: it cannot be removed")
                try setting.set(.nothing, of: &self)
            } else {
                if let demand = FirebaseSettings.unmet(setting.key, text) {
                    throw UsageProblem.other("\(option) \(demand)")
                }
                try setting.set(.text(text), of: &self)
            }
        }
        for text in hosts {
            guard !text.isEmpty else {
                apiHosts = []
                continue
            }
            let host = try ProviderFlags.host(text)
            if !apiHosts.contains(host) { apiHosts.append(host) }
        }
    }

    private static func unmet(_ key: String, _ text: String) -> String? {
        let url = try? HTTPURL(text)
        switch key {
        case "referer": return url == nil ? "must be an http or https URL" : nil
        case "locale" where !text.hasOnlyLettersAndDigits(or: "-"): return "must be a language tag such as de"
        case "tenant_id" where !text.hasOnlyLettersAndDigits(or: "-"): return "must be the ID of a tenant"
        case "android_package" where !text.hasOnlyLettersAndDigits(or: "._"):
            return "must be a package name such as com.example.app"
        case "auth_domain" where text.contains("/"): return "must be a domain, without a scheme"
        case "emulator_host" where !EmulatorHost.isHost(text): return "must be a host or host:port, without a scheme"
        case "redirect_uri" where url?.isSecure != true && url?.isLoopback != true || text.contains("?"):
            return "must be an https or loopback URL, without a query"
        // The value is sent in the header of a request.
        default:
            return text.isVisibleASCII ? nil : "accepts visible ASCII characters only, without spaces and line breaks"
        }
    }
}

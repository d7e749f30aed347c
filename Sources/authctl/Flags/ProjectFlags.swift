import ArgumentParser
import AuthCore

/// A Firebase project by its parts.
struct ProjectFlags: ParsableArguments {
    @Option(help: ArgumentHelp("The project's web API key, which is no secret.", valueName: "key"))
    var apiKey: String?

    @Option(help: ArgumentHelp("The project's ID.", valueName: "id"))
    var projectId: String?

    @Option(help: ArgumentHelp("The project's domain for sign-in pages.", valueName: "domain"))
    var authDomain: String?

    @Option(help: ArgumentHelp("The language of the project's mails.", valueName: "tag"))
    var locale: String?

    @Option(help: ArgumentHelp("The app that the key is bound to.", valueName: "id"))
    var bundleId: String?

    @Option(help: ArgumentHelp("The page that the key is restricted to.", valueName: "url"))
    var referer: String?

    @Option(help: ArgumentHelp("The Android app that the key is restricted to.", valueName: "package"))
    var androidPackage: String?

    @Option(
        help: ArgumentHelp("The SHA-1 of that app's certificate, in hexadecimal.", valueName: "sha-1"),
        transform: AndroidCertificate.init)
    var androidCert: AndroidCertificate?

    @OptionGroup var use: ProjectUseFlags

    var isUsed: Bool {
        [
            apiKey, projectId, authDomain, locale, bundleId, referer, androidPackage, androidCert?.text, use.tenantId,
            use.redirectUri, use.emulatorHost, use.apiHost.first,
        ].contains { $0 != nil }
    }

    func settings() throws -> FirebaseSettings {
        guard let apiKey, let projectId else {
            throw CommandError(.usage, "--directory firebase needs --api-key and --project-id")
        }
        // Both are checked with the others.
        var settings = FirebaseSettings(apiKey: apiKey, projectID: projectId)
        try change(&settings)
        return settings
    }

    /// Changes the settings that are given. An empty value removes a setting.
    /// - Throws: `CommandError`.
    func change(_ settings: inout FirebaseSettings) throws {
        if let apiKey { settings.apiKey = try Self.required(apiKey, "--api-key") }
        if let projectId { settings.projectID = try Self.required(projectId, "--project-id") }
        try Self.set(&settings.authDomain, authDomain, "--auth-domain")
        try Self.set(&settings.locale, locale, "--locale")
        try Self.set(&settings.bundleID, bundleId, "--bundle-id")
        if let referer {
            let url = try? HTTPURL(referer)
            guard referer.isEmpty || url != nil else {
                throw CommandError(.usage, "--referer wants an http or https URL")
            }
            settings.referer = url?.text
        }
        if let androidPackage {
            guard androidPackage.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x2E || $0 == 0x5F }) else {
                throw CommandError(.usage, "--android-package wants a package's name, as com.example.app")
            }
            settings.androidPackage = androidPackage.isEmpty ? nil : androidPackage
        }
        if let androidCert { settings.androidCertificate = androidCert.text.isEmpty ? nil : androidCert.text }
        try use.apply(to: &settings)
    }

    private static func required(_ value: String, _ option: String) throws -> String {
        guard !value.isEmpty else { throw CommandError(.usage, "\(option) is required: it cannot be removed") }
        return try visible(value, option)
    }

    /// - Throws: `CommandError` for a value that a header of a request cannot carry.
    fileprivate static func set(_ setting: inout String?, _ value: String?, _ option: String) throws {
        guard let value else { return }
        setting = value.isEmpty ? nil : try visible(value, option)
    }

    private static func visible(_ value: String, _ option: String) throws -> String {
        guard value.isVisibleASCII else {
            throw CommandError(
                .usage, "\(option) accepts visible ASCII characters only, without spaces and line breaks")
        }
        return value
    }
}

/// The SHA-1 of a certificate as Google's API wants it: forty digits, without colons. Empty to remove the setting.
struct AndroidCertificate {
    let text: String

    init(_ written: String) throws {
        text = written.replacing(":", with: "").uppercased()
        guard !text.isEmpty else { return }
        guard text.utf8.count == 40, text.allSatisfy(\.isHexDigit) else {
            throw ValidationError("--android-cert wants the certificate's SHA-1: forty hexadecimal digits")
        }
    }
}

/// How this machine uses a Firebase project: what the project's own configuration does not say.
struct ProjectUseFlags: ParsableArguments {
    @Option(help: ArgumentHelp("One of the project's tenants.", valueName: "id"))
    var tenantId: String?

    @Option(
        help: ArgumentHelp(
            "Where providers whose client is the project send people back: http://localhost:8400/callback unless set.",
            valueName: "uri"))
    var redirectUri: String?

    @Option(
        help: ArgumentHelp(
            "A host besides this machine whose emulator FIREBASE_AUTH_EMULATOR_HOST may name [everything goes there as plain http].",
            valueName: "host"))
    var emulatorHost: String?

    @Option(
        help: ArgumentHelp(
            "A host that 'authctl request' may send the project's own token to; repeatable, '' takes all away.",
            valueName: "host"))
    var apiHost: [String] = []

    /// - Throws: `CommandError`.
    func apply(to settings: inout FirebaseSettings) throws {
        if let emulatorHost, !emulatorHost.isEmpty, !EmulatorHost.isHost(emulatorHost) {
            throw CommandError(.usage, "--emulator-host wants a host, or host:port, without a scheme")
        }
        if let redirectUri, !redirectUri.isEmpty {
            guard let url = try? HTTPURL(redirectUri), url.isSecure || url.isLoopback, !redirectUri.contains("?") else {
                throw CommandError(.usage, "--redirect-uri wants an https URL, or a loopback one, without a query")
            }
        }
        try ProjectFlags.set(&settings.tenantID, tenantId, "--tenant-id")
        try ProjectFlags.set(&settings.redirectURI, redirectUri, "--redirect-uri")
        try ProjectFlags.set(&settings.emulatorHost, emulatorHost, "--emulator-host")
        for text in apiHost {
            guard !text.isEmpty else {
                settings.apiHosts = []
                continue
            }
            let host = try ProviderFlags.host(text)
            if !settings.apiHosts.contains(host) { settings.apiHosts.append(host) }
        }
    }
}

import AuthCore

/// The credential configuration file of Google Cloud's libraries.
struct GoogleConfiguration {
    let path: String
    let exists: Bool
    private let object: JSONObject?

    init(_ path: String?, _ environment: Environment) throws {
        let directory = environment["CLOUDSDK_CONFIG"] ?? "\(environment.home)/.config/gcloud"
        self.path =
            path ?? environment["GOOGLE_APPLICATION_CREDENTIALS"] ?? "\(directory)/application_default_credentials.json"
        let bytes = try ToolFile.read(self.path)
        exists = bytes != nil
        object = try? bytes.map { try StrictJSON.object($0) }
    }

    /// authctl's command, if `install` wrote the file.
    var command: HelperCommand? {
        guard let object, Set(object.members.map(\.name)).isSubset(of: GoogleConfiguration.names) else { return nil }
        return object["credential_source"]?.object?["executable"]?.object?["command"]?.string
            .flatMap { HelperCommand("gcp", shell: $0) }
    }

    var audience: String? { object?["audience"]?.string }

    /// The options with which `install` writes the same file.
    var options: GivenOptions {
        let parts = object?[GoogleConfiguration.impersonation]?.string?.split(separator: "/")
        return [
            "--workload-provider": audience,
            "--service-account": parts?.last?.split(separator: ":").first.map(String.init),
        ]
    }

    private static let impersonation = "service_account_impersonation_url"
    private static let names: Set<String> = [
        "type", "audience", "subject_token_type", "token_url", "credential_source", impersonation,
    ]

    /// Writes the file. Returns false if it already has this content.
    func write(_ audience: String, serviceAccount: String?, command: [String]) throws -> Bool {
        func executable(_ command: [String]) -> JSONValue {
            ["executable": ["command": .string(Shell.words(command)), "timeout_millis": 30000]]
        }
        var new: JSONObject = [
            "type": "external_account", "audience": .string(audience),
            "subject_token_type": .string(TokenEndpoint.TokenType.idToken.rawValue),
            "token_url": "https://sts.googleapis.com/v1/token", "credential_source": executable(command),
        ]
        if let serviceAccount {
            new[GoogleConfiguration.impersonation] = .string(
                "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(serviceAccount):generateAccessToken"
            )
        }
        guard object != new else { return false }
        var moved = new
        if let known = self.command { moved["credential_source"] = executable([known.program] + command.dropFirst()) }
        guard !exists || self.command != nil && object == moved else {
            throw CommandError(
                .toolNotSetUp, "'\(path)' already has another configuration",
                hint: self.command == nil
                    ? "choose another file with --file"
                    : "choose another file with --file, or first: \(run: "authctl use --remove gcp")")
        }
        try ToolFile.replace(path, with: Array((JSONValue.object(new).text + "\n").utf8))
        return true
    }
}

extension ToolSetup {
    func gcp(_ flags: GoogleFlags, file: String?) throws -> [String] {
        guard let name = flags.workloadProvider else {
            let example = "projects/123/locations/global/workloadIdentityPools/POOL/providers/PROVIDER"
            throw UsageProblem.missing(["--workload-provider"], note: ", for example \(example)")
        }
        let audience = name.hasPrefix("//") ? name : "//iam.googleapis.com/\(name)"
        try require(
            audience.isVisibleASCII && audience.contains("Pools/") && audience.contains("/providers/"),
            "--workload-provider must be the full name of a provider of an identity pool")
        let account = flags.serviceAccount
        try require(
            account?.hasOnlyLettersAndDigits(or: "@.-") ?? true, "--service-account must be an email address")
        let words = command(["gcp"], ["--provider": provider, "--audience": flags.audience.audience])
        if let word = words.first(where: { Shell.word($0) != $0 }) {
            throw CommandError(
                .toolNotSetUp,
                "Google's libraries divide the command at each space and do not support quotation marks: '\(shown: word)' cannot be in it",
                hint: "use paths and values without spaces and special characters")
        }
        let configuration = try GoogleConfiguration(file, context.environment)
        guard try configuration.write(audience, serviceAccount: account, command: words) else { return [] }
        return [
            "\(configuration.path): credential_source.executable.command = \(Shell.words(words))",
            "use it: set GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES to 1",
        ]
    }

    func removeGCP(file: String?) throws -> [String] {
        let configuration = try GoogleConfiguration(file, context.environment)
        guard configuration.exists else { return [] }
        guard configuration.command != nil else {
            throw CommandError(
                .toolNotSetUp, "'\(configuration.path)' was not created by authctl, or was changed since")
        }
        try ToolFile.remove(configuration.path)
        return ["\(configuration.path) was removed"]
    }

    func installedGCP(_ flag: ToolFileFlag) throws -> [InstalledTool] {
        let configuration = try GoogleConfiguration(flag.file, context.environment)
        guard let command = configuration.command, let audience = configuration.audience else { return [] }
        let place = configuration.options + ["--file": flag.file]
        let tool = InstalledTool(
            "gcp", named: audience, in: configuration.path, runs: command.program, at: place, options: command.options)
        return [tool]
    }
}

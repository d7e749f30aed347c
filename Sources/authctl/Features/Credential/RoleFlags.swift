import ArgumentParser
import AuthCore

/// The role of AWS that a token is exchanged for.
struct RoleFlags: ParsableArguments {
    @Option(help: .init("The ARN of the role.", valueName: "arn"))
    var roleArn: String?

    @Option(help: .init("The session name in the logs of AWS.", valueName: "name"))
    var roleSessionName = "authctl"

    @Option(
        help: .init(
            "The lifetime of the credentials, 900 to 43200 seconds, for example 3600 or 1h (default: one hour).",
            valueName: "time"))
    var durationSeconds: TimeSpan?

    @Option(help: "The region of the Security Token Service (default: the global endpoint).")
    var region: String?

    @Option(help: .init("The URL of the Security Token Service (default: that of the region).", valueName: "url"))
    var stsEndpoint: String?

    var given: GivenOptions {
        [
            "--role-arn": roleArn, "--role-session-name": roleSessionName == "authctl" ? nil : roleSessionName,
            "--duration-seconds": durationSeconds, "--region": region, "--sts-endpoint": stsEndpoint,
        ]
    }

    func validate() throws {
        if let roleArn, !roleArn.hasPrefix("arn:") || !roleArn.contains(":role/") {
            throw UsageProblem.other("--role-arn '\(shown: roleArn)' is not like arn:aws:iam::123456789012:role/NAME")
        }
        try require(
            (2...64).contains(roleSessionName.utf8.count) && roleSessionName.hasOnlyLettersAndDigits(or: "_+=,.@-"),
            "--role-session-name must have 2 to 64 letters, digits or _+=,.@-")
        try require((900...43200).contains(durationSeconds?.seconds ?? 900), "--duration-seconds must be 900 to 43200")
    }

    func request() throws -> AssumeRole.Request {
        guard let roleArn else {
            throw UsageProblem.missing(["--role-arn"], note: ", for example arn:aws:iam::123456789012:role/NAME")
        }
        try require(region?.hasOnlyLettersAndDigits(or: "-") ?? true, "--region must be a region such as eu-central-1")
        let home = region.map { "https://sts.\($0).amazonaws.com\($0.hasPrefix("cn-") ? ".cn" : "")" }
        guard let endpoint = try? HTTPURL(stsEndpoint ?? home ?? "https://sts.amazonaws.com") else {
            throw UsageProblem.other("--sts-endpoint must be an http or https URL")
        }
        return AssumeRole.Request(
            role: roleArn, sessionName: roleSessionName, duration: durationSeconds?.seconds, endpoint: endpoint)
    }
}

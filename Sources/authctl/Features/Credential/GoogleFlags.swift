import ArgumentParser

/// The workload identity pool for a credential configuration of Google Cloud.
struct GoogleFlags: ParsableArguments {
    @Option(
        help: .init(
            "The full name of the workload identity pool's provider, beginning with projects/.", valueName: "name"))
    var workloadProvider: String?

    @Option(help: .init("The service account to impersonate.", valueName: "email"))
    var serviceAccount: String?

    @OptionGroup var audience: JobAudienceFlag

    var given: GivenOptions {
        ["--workload-provider": workloadProvider, "--service-account": serviceAccount, "--audience": audience.audience]
    }
}

struct JobAudienceFlag: ParsableArguments {
    @Option(help: "In a CI job: the audience of its token (default: the pool's provider, as an https URL).")
    var audience: String?
}

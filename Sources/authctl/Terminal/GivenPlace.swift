/// For whom and what a call was, where its flags said so: a hint without them would be for another profile or account.
struct GivenPlace: Sendable, Equatable {
    var profile: String?
    var account: String?
    var configDir: String?
}

extension ShellCommand {
    /// Commands that are for every account, and refuse or do not look at one.
    private static let ofNobody = [
        "accounts import", "accounts list", "accounts switch", "accounts lookup", "credential install",
        "credential uninstall", "doctor", "pending", "profile", "providers", "setup", "signout --retry",
    ]
    /// Commands that are for every profile.
    private static let ofNoProfile = ["profile list", "profile use"]

    /// The same with what of the call it does not say itself. What shows help needs nothing, and another program is none of ours.
    func repeating(_ given: GivenPlace) -> ShellCommand {
        let words = text.split(separator: " ")
        guard words.first == "authctl", !words.contains("--help"), !words.contains("--version") else { return self }
        func isOne(of commands: [String]) -> Bool {
            commands.contains { words.dropFirst().starts(with: $0.split(separator: " ")) }
        }
        func says(_ option: String) -> Bool { words.contains { $0 == option || $0.hasPrefix("\(option)=") } }
        var command = self
        if let profile = given.profile, !says("--profile"), !isOne(of: ShellCommand.ofNoProfile) {
            command = "\(command) --profile \(profile)"
        }
        if let account = given.account, !says("--account"), !isOne(of: ShellCommand.ofNobody) {
            command = "\(command) --account \(account)"
        }
        if let directory = given.configDir, !says("--config-dir") {
            command = "\(command) --config-dir \(directory)"
        }
        return command
    }
}

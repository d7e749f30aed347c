/// The options of this call that a hint's commands must repeat. Without them, the commands would use another profile or
/// account.
struct RepeatedOptions: Sendable {
    var options: GivenOptions = [:]
    /// Whether no user can be asked, and whether that is because this is a CI job.
    var isUnattended = false
    var isJob = false
    var isAccepted: @Sendable (_ words: [String], _ option: String) -> Bool = { _, _ in true }
}

extension ShellCommand {
    func repeating(_ given: RepeatedOptions) -> ShellCommand {
        guard let arguments else { return self }
        var missing = given.options
        missing.list.removeAll { option in
            arguments.contains { $0 == option.name || $0.hasPrefix("\(option.name)=") }
                || !given.isAccepted(arguments, option.name)
        }
        return with(missing)
    }
}

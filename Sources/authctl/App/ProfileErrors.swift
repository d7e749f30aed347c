import AuthCore

// Errors about the name of a profile.
extension CommandError {
    static func noSuchProfile(_ profile: String, known: [String], isUsed: Bool = false) -> CommandError {
        CommandError(
            .usage, "profile not found: '\(profile)'; known: \(known.joined(separator: ", "))",
            hint: isUsed
                ? "to create it: \(run: "authctl profile use \(profile) --create")" : .run("authctl profile list"))
    }

    static func invalidProfileVariable(_ name: String) -> CommandError {
        CommandError(
            .invalidConfiguration, "AUTHCTL_PROFILE is '\(shown: name)', which is not the name of a profile",
            hint: .run("unset AUTHCTL_PROFILE"), isComplete: true)
    }

    static func unexpandedHome(_ path: String, isFlag: Bool, _ home: String) -> CommandError {
        CommandError(
            isFlag ? .usage : .invalidConfiguration,
            "\(isFlag ? "--config-dir" : "AUTHCTL_CONFIG_DIR") begins with ~/, which no shell has expanded: '\(shown: path)'",
            hint: "use the path itself: \(home + path.dropFirst())", isComplete: true)
    }

    static func invalidProfileChoice(_ name: String, in path: String) -> CommandError {
        CommandError(
            .invalidConfiguration, "'\(shown: path)' contains '\(shown: name)', which is not the name of a profile",
            hint: "to use the default profile: \(run: "mv \(path) \(path + ".old")")", isComplete: true)
    }
}

/// A command found nothing, probably because the profile's name is wrong.
struct EmptyProfile: WrappingError {
    let profile: String
    let known: [String]
    let isFromVariable: Bool
    let error: any Error

    func explanation(_ context: ErrorContext) -> Explanation {
        let name = "profile '\(profile)'\(isFromVariable ? ", from AUTHCTL_PROFILE," : "")"
        let more = "; \(name) is empty; known profiles: \(known.joined(separator: ", "))"
        return inner.explanation(context).adding(
            more, hint: .run(isFromVariable ? "unset AUTHCTL_PROFILE" : "authctl profile list"))
    }
}

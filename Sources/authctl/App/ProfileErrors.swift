import AuthCore

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

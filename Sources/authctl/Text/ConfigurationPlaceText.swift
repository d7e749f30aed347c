import AuthCore

/// Where the configuration of a provider is, for users and for scripts.
extension ConfigurationPlace {
    /// A file's path, or `environment`.
    var from: String {
        switch self {
        case .own(let path, _): path
        case .organization(let place): place.path
        case .environment: "environment"
        }
    }

    /// The organization's file that it hides.
    private var hidden: String? {
        guard case .own(_, let place?) = self else { return nil }
        return place.path
    }

    var words: String { from + (hidden.map { ", instead of \($0)" } ?? "") }

    /// Nil for the user's own configuration if it hides nothing.
    var foreignWords: String? {
        switch self {
        case .own: hidden.map { "instead of \($0)" }
        case .organization, .environment: "from \(from)"
        }
    }

    /// Puts it into the provider's object.
    func put(into object: inout JSONObject) {
        object["from"] = .string(from)
        if let hidden { object["insteadOf"] = .string(hidden) }
    }
}

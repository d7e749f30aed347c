import AuthCore

/// Where a provider's entry comes from, as a person and a script are told.
extension Profile.EntryPlace {
    /// A file's path, or `environment`.
    var from: String {
        switch self {
        case .own(let path, _): path
        case .organization(let place): place.path
        case .environment: "environment"
        }
    }

    /// The organization's file whose entry it hides.
    private var hidden: String? {
        guard case .own(_, let place?) = self else { return nil }
        return place.path
    }

    var words: String { from + (hidden.map { ", instead of \($0)" } ?? "") }

    /// Nil for what needs no word: an entry of the person's own that hides nothing.
    var foreignWords: String? {
        switch self {
        case .own: hidden.map { "instead of \($0)" }
        case .organization, .environment: "from \(from)"
        }
    }

    /// Puts it into an entry's object.
    func put(into object: inout JSONObject) {
        object["from"] = .string(from)
        if let hidden { object["insteadOf"] = .string(hidden) }
    }
}

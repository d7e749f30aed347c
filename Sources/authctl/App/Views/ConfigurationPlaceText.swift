import AuthCore

extension ConfigurationPlace {
    var from: String {
        switch self {
        case .own(let path, _): path
        case .system(let place): place.path
        case .environment: "environment"
        }
    }

    var hidden: String? {
        guard case .own(_, let place?) = self else { return nil }
        return place.path
    }

    var description: String { from + (hidden.map { ", instead of \($0)" } ?? "") }

    var foreignDescription: String? {
        switch self {
        case .own: hidden.map { "instead of \($0)" }
        case .system, .environment: "from \(from)"
        }
    }
}
